#!/usr/bin/env python3
"""Makes the PDFs of this folder from `from/`: one per producer and kind of document, those whose text is hard to
extract, and the damaged ones.

Needs requirements.txt from PyPI, and from Debian: chromium, texlive-latex-base, groff, ghostscript, poppler-utils,
libreoffice-writer-nogui.  Use: python3 make_pdfs.py [name ...]   (no argument: all)
Producers write dates and ids into their files; this script fixes both if the producer allows it.
"""

import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pikepdf
import zstandard

HERE = pathlib.Path(__file__).resolve().parent
FROM = HERE / "from"
FONTS = HERE.parents[3] / "render-core/assets/fonts"
# 21 November 2026, for producers that support it.
EPOCH = "1795219200"
os.environ["SOURCE_DATE_EPOCH"] = EPOCH
os.environ["FORCE_SOURCE_DATE"] = "1"
sys.path.insert(0, str(FROM))

FACES = [
    "noto-serif-400", "noto-serif-600", "hanken-grotesk-500", "hanken-grotesk-700", "instrument-sans-400",
    "instrument-sans-600", "instrument-serif-400", "readex-pro-400", "readex-pro-700", "noto-sans-jp-400",
    "noto-sans-jp-700", "noto-sans-400", "noto-sans-600", "noto-sans-devanagari-400", "noto-sans-devanagari-700",
    "shippori-mincho-500", "shippori-mincho-700",
]


def unpack(folder):
    for face in FACES:
        packed = (FONTS / f"{face}.ttf.zst").read_bytes()
        (folder / f"{face}.ttf").write_bytes(zstandard.ZstdDecompressor().decompress(packed, 64 << 20))


def run(*command, **kwargs):
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **kwargs)


def fixed_dates(pdf):
    """Replaces every date and id by one of the same length."""
    pdf = re.sub(rb"\(D:\d{14}", b"(D:20261121000000", pdf)
    pdf = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", b"2026-11-21T00:00:00", pdf)
    same = lambda m: m.group(1) + b"0" * len(m.group(2)) + m.group(3) + b"0" * len(m.group(4)) + m.group(5)
    pdf = re.sub(rb"(/DocChecksum /)[0-9A-F]{32}", rb"\g<1>" + b"0" * 32, pdf)
    return re.sub(rb"(/ID\s*\[\s*<)([0-9A-Fa-f]+)(>\s*<)([0-9A-Fa-f]+)(>\s*\])", same, pdf)


def page_of(name, temp):
    page = temp / name
    page.write_text((FROM / name).read_text(encoding="utf-8").replace("FONTS", temp.as_uri()), encoding="utf-8")
    return page


# Each function writes one PDF to `out`; `temp` is for temporary files and unpacked faces.

def latex(source):
    def make(out, temp):
        (temp / "t1.cmap").write_text(t1_cmap())
        (temp / source).write_bytes((FROM / source).read_bytes())
        for _ in range(2):
            run("pdflatex", "-interaction=batchmode", source, cwd=temp)
        out.write_bytes((temp / source).with_suffix(".pdf").read_bytes())
    return make


def t1_cmap():
    """Returns a CMap from TeX's T1 encoding to Unicode."""
    from fontTools import agl
    where = subprocess.run(["kpsewhich", "ec.enc"], check=True, capture_output=True, text=True).stdout.strip()
    encoding = re.sub(r"%.*", "", pathlib.Path(where).read_text(encoding="latin-1"))
    names = re.findall(r"/(\S+)", encoding.split("[", 1)[1])
    pairs = [(code, agl.toUnicode(name)) for code, name in enumerate(names) if agl.toUnicode(name)]
    rows = [f"<{code:02X}> <{text.encode('utf-16-be').hex().upper()}>" for code, text in pairs]
    blocks = [rows[i:i + 100] for i in range(0, len(rows), 100)]
    body = "\n".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar" for b in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (TeX) /Ordering (T1) /Supplement 0 >> def\n/CMapName /TeX-T1-0 def\n"
        "/CMapType 2 def\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n"
        f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    )


def chromium(source):
    def make(out, temp):
        page = page_of(source, temp)
        run("chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={temp / 'profile'}",
            "--no-pdf-header-footer", f"--print-to-pdf={out}", page.as_uri())
        out.write_bytes(fixed_dates(out.read_bytes()))
    return make


def weasyprint(source):
    def make(out, temp):
        from weasyprint import HTML
        HTML(filename=str(page_of(source, temp))).write_pdf(out, pdf_variant="pdf/ua-1", pdf_identifier=b"vivid")
        out.write_bytes(fixed_dates(out.read_bytes()))
    return make


def typst(source):
    def make(out, temp):
        import typst as compiler
        out.write_bytes(compiler.compile(str(FROM / source), font_paths=[str(temp)], ignore_system_fonts=True))
        out.write_bytes(fixed_dates(out.read_bytes()))
    return make


def libreoffice(source):
    def make(out, temp):
        profile = f"-env:UserInstallation={(temp / 'office').as_uri()}"
        run("soffice", profile, "--headless", "--convert-to", "odt:writer8", "--infilter=HTML (StarWriter)",
            "--outdir", temp, FROM / source)
        run("soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", temp,
            (temp / source).with_suffix(".odt"))
        out.write_bytes(fixed_dates((temp / source).with_suffix(".pdf").read_bytes()))
    return make


def groff(source):
    def make(out, temp):
        postscript = subprocess.run(["groff", "-ms", "-Tps", "-P-pa4", FROM / source], check=True, capture_output=True)
        run("ps2pdf", "-sPAPERSIZE=a4", "-", out, input=postscript.stdout)
        out.write_bytes(fixed_dates(out.read_bytes()))
    return make


def fpdf(source):
    def make(out, temp):
        import datetime
        from fpdf import FPDF
        pdf = FPDF(format="A4")
        pdf.set_creation_date(datetime.datetime.fromtimestamp(int(EPOCH), datetime.timezone.utc))
        pdf.set_title("Lettre à la mairie")
        pdf.set_lang("fr")
        pdf.set_margins(25, 22, 25)
        pdf.add_font("Serif", fname=temp / "noto-serif-400.ttf")
        pdf.add_page()
        pdf.set_font("Serif", size=10.5)
        for n, block in enumerate((FROM / source).read_text(encoding="utf-8").strip().split("\n\n")):
            if n == 1:
                pdf.set_left_margin(110)
            pdf.multi_cell(0, 5.6, block, align="L" if "\n" in block else "J", new_x="LMARGIN", new_y="NEXT")
            pdf.set_left_margin(25)
            pdf.ln(4.5)
        out.write_bytes(bytes(pdf.output()))
    return make


def reportlab(module):
    def make(out, temp):
        register_faces(temp)
        __import__(module).write(out, {"annual_report": ("Serif", "Head"), "rechnung": ("Sans", "SansBold")}[module])
    return make


def register_faces(temp):
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    for name, face in [("Serif", "noto-serif-400"), ("Head", "hanken-grotesk-700"), ("Sans", "noto-sans-400"),
                       ("SansBold", "noto-sans-600")]:
        pdfmetrics.registerFont(TTFont(name, str(temp / f"{face}.ttf")))


def infographic(out, temp):
    import infographic as poster
    poster.write(out, int(EPOCH))


def roof_meadow(out, temp):
    import roof_meadow as report
    report.write(out)


def chinese(out, temp):
    """Writes text in a face that is named but not embedded, with a predefined CMap."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    style = {"fontName": "STSong-Light", "wordWrap": "CJK"}
    title = ParagraphStyle("title", fontSize=22, leading=30, spaceAfter=14, **style)
    head = ParagraphStyle("head", fontSize=15, leading=22, spaceBefore=12, spaceAfter=6, **style)
    body = ParagraphStyle("body", fontSize=11, leading=19, spaceAfter=6, firstLineIndent=22, **style)
    lines = (FROM / "chinese.txt").read_text(encoding="utf-8").strip().split("\n")
    story = [Paragraph(lines[0], title)]
    story += [Paragraph(t[2:], head) if t.startswith("# ") else Paragraph(t, body) for t in lines[1:]]
    SimpleDocTemplate(str(out), pagesize=A4, title="老巷子里的修车铺", invariant=1, lang="zh-CN").build(story)


def minutes(out, temp):
    """Writes text sideways on a page that /Rotate turns, in a standard font."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import simpleSplit
    from reportlab.pdfgen.canvas import Canvas
    c = Canvas(str(out), pagesize=A4, invariant=1)
    c.setTitle("minutes_final_v3")
    width, height = A4
    # The page is upright and its text runs upwards; rotated by 90° it is a landscape page.
    c.translate(width, 0)
    c.rotate(90)
    y = width - 60
    for line in (FROM / "minutes.txt").read_text(encoding="utf-8").strip().split("\n"):
        level = len(line) - len(line.lstrip("#"))
        font, size = {0: ("Helvetica", 10.5), 1: ("Helvetica-Bold", 18), 2: ("Helvetica-Bold", 12.5)}[level]
        y -= {0: 0, 1: 0, 2: 7}[level]
        for part in simpleSplit(line.lstrip("# "), font, size, height - 120):
            c.setFont(font, size)
            c.drawString(60, y, part)
            y -= size * 1.45
    c.showPage()
    c.save()
    with pikepdf.open(out, allow_overwriting_input=True) as pdf:
        pdf.pages[0].Rotate = 90
        pdf.save(out, deterministic_id=True)


def picture(of, temp, dpi):
    run("pdftoppm", "-r", dpi, "-gray", "-f", 1, "-l", 1, "-png", HERE / f"{of}.pdf", temp / "scan")
    return next(temp.glob("scan*.png"))


def scanned(out, temp):
    """Writes a page like one from a flat-bed scanner: a slightly skewed picture without text."""
    from PIL import Image
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas
    scan = Image.open(picture("letter", temp, 110)).rotate(0.6, fillcolor=250, resample=Image.Resampling.BICUBIC)
    jpeg = io.BytesIO()
    scan.save(jpeg, "JPEG", quality=45)
    c = Canvas(str(out), pagesize=A4, invariant=1)
    c.setTitle("Scan_20260909_0001")
    c.drawImage(ImageReader(jpeg), 0, 0, *A4)
    c.showPage()
    c.save()


def scanned_with_text(out, temp):
    """Writes a scan with the invisible text of an OCR program, line by line and with one recognition error."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas
    run("pdftotext", "-bbox-layout", HERE / "informe.pdf", temp / "boxes.html")
    boxes = (temp / "boxes.html").read_text(encoding="utf-8").split("</page>")[0]
    size = re.search(r'<page width="([\d.]+)" height="([\d.]+)"', boxes)
    width, height = float(size[1]), float(size[2])
    from PIL import Image
    jpeg = io.BytesIO()
    Image.open(picture("informe", temp, 100)).save(jpeg, "JPEG", quality=35)
    c = Canvas(str(out), pagesize=(width, height), invariant=1)
    c.drawImage(ImageReader(jpeg), 0, 0, width, height)
    from html import unescape
    for line in re.findall(r"<line .*?</line>", boxes, re.S):
        left, _, right, bottom = map(float, re.match(
            r'<line xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"', line).groups())
        words = [unescape(w) for w in re.findall(r"<word [^>]*>(.*?)</word>", line)]
        top = float(re.search(r'yMin="([\d.]+)"', line)[1])
        text = c.beginText(left, height - bottom + (bottom - top) * 0.2)
        text.setTextRenderMode(3)
        text.setFont("Times-Roman", (bottom - top) * 0.88)
        said = " ".join(words).replace("Los carteles", "Los carteIes")
        natural = c.stringWidth(said, "Times-Roman", (bottom - top) * 0.88)
        text.setHorizScale(100 * (right - left) / natural)
        text.textOut(said)
        c.drawText(text)
    c.showPage()
    c.save()


def encrypted(out, temp):
    with pikepdf.open(HERE / "letter.pdf") as pdf:
        pdf.save(out, encryption=pikepdf.Encryption(user="jardin", owner="canal", R=6))


def locked(out, temp):
    """Writes a PDF that opens without a password, but forbids printing and copying."""
    with pikepdf.open(HERE / "rechnung.pdf") as pdf:
        allow = pikepdf.Permissions(extract=False, print_lowres=False, print_highres=False)
        pdf.save(out, encryption=pikepdf.Encryption(user="", owner="werft", R=4, aes=True, allow=allow))


def linearised(out, temp):
    """Writes a PDF optimised for the web: linearised, with objects in compressed streams and without /Info."""
    with pikepdf.open(HERE / "deck.pdf") as pdf:
        if "/Info" in pdf.trailer:
            del pdf.trailer["/Info"]
        if "/Metadata" in pdf.Root:
            del pdf.Root["/Metadata"]
        pdf.save(out, linearize=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)


# In this order, because some are made from others.
PDFS = {
    "two-column-paper": latex("two-column-paper.tex"),
    "type3-leaflet": latex("type3-leaflet.tex"),
    "report": weasyprint("report.html"),
    "newsletter": chromium("newsletter.html"),
    "arabic": chromium("arabic.html"),
    "hindi": chromium("hindi.html"),
    "vertical": chromium("vertical.html"),
    "informe": libreoffice("informe.html"),
    "deck": typst("deck.typ"),
    "japanese": typst("japanese.typ"),
    "groff-manual": groff("groff-manual.ms"),
    "letter": fpdf("letter.txt"),
    "annual-report": reportlab("annual_report"),
    "rechnung": reportlab("rechnung"),
    "roof-meadow": roof_meadow,
    "infographic": infographic,
    "chinese": chinese,
    "minutes": minutes,
    "scanned": scanned,
    "scanned-with-text": scanned_with_text,
    "encrypted": encrypted,
    "locked": locked,
    "linearised": linearised,
}


def main():
    import awkward
    import broken
    by_hand = {**awkward.PDFS, **broken.PDFS}
    asked = sys.argv[1:] or [*PDFS, *by_hand]
    for name in asked:
        out = HERE / f"{name}.pdf"
        with tempfile.TemporaryDirectory() as temp:
            if name in PDFS:
                unpack(pathlib.Path(temp))
                PDFS[name](out, pathlib.Path(temp))
            else:
                out.write_bytes(by_hand[name](HERE))
        print(f"{name}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
