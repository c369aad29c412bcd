"""Makes valid PDFs whose text is hard to extract, written byte by byte in a monospaced face."""

import textwrap

from broken import CATALOG, PAGES, file, stream

COURIER = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
BOLD = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>"
TITLE = "The lock keeper counts the herons"
INTRO = (
    "Every spring Marit Solvang walks the towpath at dawn and counts the herons between the two upper locks. In 1998 she "
    "found nine nests; last year there were forty-one, and the canal trust has asked her to train two more counters."
)
REASONS = (
    "She thinks that the water is clearer since the dye works closed, so that the birds can see the fish they wait for. "
    "The anglers, who see it otherwise, say that the fish are fewer and that the herons have come from the coast, where "
    "the new harbour has taken the reeds."
)
OUTLOOK = (
    "Whoever is right, the trust has put up 12 platforms of willow, and it will close the towpath in April from the second "
    "lock to the old mill, which costs walkers a detour of 900 metres and the birds nothing at all."
)


def literal(text):
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return b"(" + escaped.encode("cp1252") + b")"


def lines(text, x, y, width=40, size=10, font=b"F1", leading=13):
    """Returns operators that set a text in lines of `width` characters, and the position of the next line."""
    out = b""
    for line in textwrap.wrap(text, width):
        out += b"BT /%s %d Tf %d %d Td %s Tj ET\n" % (font, size, x, y, literal(line))
        y -= leading
    return out, y


def page(extra=b"", fonts=b"/F1 5 0 R /F2 6 0 R"):
    return b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << %s >> >> %s>>" % (
        fonts, extra)


def whole(x=60, y=760, width=75):
    """Returns the article in one column."""
    out, y = lines(TITLE, x, y, 40, 18, b"F2", 24)
    for text in [INTRO, REASONS, OUTLOOK]:
        more, y = lines(text, x, y - 10, width)
        out += more
    return out


def sideways(here):
    """Returns a page whose lines run upwards, without a declared rotation."""
    text = b"q 0 1 -1 0 595 0 cm\n" + whole(60, 520) + b"Q"
    return file([CATALOG, PAGES, page(), stream(text), COURIER, BOLD])


def hidden_words(here):
    """Returns a page of only invisible text, as some OCR programs leave it after the pictures are removed."""
    return file([CATALOG, PAGES, page(), stream(b"3 Tr\n" + whole()), COURIER, BOLD])


def tagged_columns(here):
    """Returns two columns with a narrow gutter, drawn from the last to the first; the tags have the reading order. A
    paragraph continues from the foot of the left column at the head of the right one."""
    reasons = textwrap.wrap(REASONS, 40)
    left, right = 50, 50 + 40 * 6 + 7
    parts = []

    def mark(tag, body):
        parts.append(b"/%s << /MCID %d >> BDC\n%sEMC\n" % (tag, len(parts), body))

    mark(b"P", lines(OUTLOOK, right, 700 - 13 * (len(reasons) - 3) - 10)[0])
    mark(b"P", lines(" ".join(reasons[3:]), right, 700)[0])
    intro, y = lines(INTRO, left, 700)
    mark(b"P", lines(" ".join(reasons[:3]), left, y - 10)[0])
    mark(b"P", intro)
    mark(b"H1", lines(TITLE, left, 750, 40, 18, b"F2")[0])
    head = b"/Artifact BMC\n" + lines("Canal Notes 14", left, 800)[0] + b"EMC\n"
    element = lambda kind, kids: b"<< /Type /StructElem /S /%s /P 8 0 R /Pg 3 0 R /K %s >>" % (kind, kids)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R /MarkInfo << /Marked true >> >>",
        PAGES,
        page(b"/StructParents 0 "),
        stream(b"".join([head, *parts])),
        COURIER,
        BOLD,
        b"<< /Type /StructTreeRoot /K 8 0 R /RoleMap << /Headline /H1 >> >>",
        b"<< /Type /StructElem /S /Document /P 7 0 R /K [9 0 R 10 0 R 11 0 R 12 0 R] >>",
        element(b"Headline", b"4"),
        element(b"P", b"3"),
        element(b"P", b"[2 << /Type /MCR /Pg 3 0 R /MCID 1 >>]"),
        element(b"P", b"[0]"),
    ]
    return file(objects)


def unnamed_glyphs(here):
    """Returns a bitmap face whose glyph names are codes (`a65`), as TeX wrote them, with a ligature at code 12."""
    return of_pictures(lambda code: b"a%d" % code, b"0.012 0 0 0.012 0 0", b"1 0 0 1")


def mirrored_glyphs(here):
    """Returns a bitmap face whose pictures are upside down; its matrix flips them, as Ghostscript wrote them. Glyph names
    are characters; readers recognise only letters as names."""
    names = {code: b"#%02X" % code if not chr(code).isalnum() else bytes([code]) for code in range(256)}
    return of_pictures(names.get, b"0.012 0 0 -0.012 0 0", b"1 0 0 -1")


def of_pictures(name, matrix, upright):
    """Returns the article in a bitmap face with these glyph names, this matrix and this text matrix."""
    text = "".join(sorted(set(TITLE + INTRO + REASONS + OUTLOOK)))
    codes = sorted({ord(c) for c in text if c != " "} | {12})
    box = b"6 0 0 0 5 7 d1 0.5 0 4 6 re f"
    procs = b" ".join(b"/%s 7 0 R" % name(c) for c in codes)
    names = b" ".join(b"%d /%s" % (c, name(c)) for c in codes)
    widths = b" ".join(b"6" if c in codes else b"0" for c in range(256))
    face = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 5 7] /FontMatrix [%s] /FirstChar 0 /LastChar 255 "
        b"/Widths [%s] /Encoding << /Type /Encoding /Differences [%s] >> /CharProcs << %s >> /Resources << >> >>"
        % (matrix, widths, names, procs)
    )
    out, y = b"", 760
    for block, size in [(TITLE, 120), (INTRO, 83), (REASONS, 83), (OUTLOOK, 83)]:
        for line in textwrap.wrap(block, 50 if size == 120 else 70):
            # Words are separated by offsets, and the ligature is one glyph.
            shown = b" ".join(literal(w).replace(b"fi", b"\\014") + b" -600" for w in line.split())
            out += b"BT /F1 %d Tf %s 60 %d Tm [%s] TJ ET\n" % (size, upright, y, shown.replace(b"-600", b"-72000"))
            y -= size // 5
        y -= 12
    # The numbers within TJ are thousandths of the size, which is small under this face's matrix.
    out = out.replace(b"-72000", b"-60")
    return file([CATALOG, PAGES, page(fonts=b"/F1 5 0 R"), stream(out), face, BOLD, stream(box)])


def chart_glyphs(here):
    """Returns an article beside a chart whose labels decode to other characters than they show: in a face without a map
    to Unicode, whose codes are glyph numbers, and in a face with a wrong map."""
    shifted = "".join(f"{ord(c) - 29:04x}" for c in "Herons counted in every spring since 1998 between the upper locks")
    chart = b"BT /F3 9 Tf 60 200 Td <%s> Tj ET\n" % shifted.encode()
    chart += b"BT /F1 9 Tf 60 180 Td %s Tj ET\n" % literal("6/J/27+*?:#0%1$23#")
    chart += b"BT /F1 9 Tf 60 160 Td %s Tj ET\n" % literal("8&=;3+:/7 *$#%!9<>@4")
    objects = [CATALOG, PAGES, page(fonts=b"/F1 5 0 R /F2 6 0 R /F3 7 0 R"), stream(whole() + chart), COURIER, BOLD,
               b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Labels /Encoding /Identity-H /DescendantFonts [8 0 R] >>",
               b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Labels /CIDSystemInfo << /Registry (Adobe) "
               b"/Ordering (Identity) /Supplement 0 >> /DW 600 /FontDescriptor 9 0 R >>",
               b"<< /Type /FontDescriptor /FontName /ABCDEF+Labels /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 "
               b"/Ascent 800 /Descent 0 /CapHeight 700 /StemV 80 >>"]
    return file(objects)


def half_said(here):
    """Returns an article, followed by undecodable glyphs that outnumber its letters."""
    unsaid = b"".join(b"BT /F3 9 Tf 60 %d Td <%s> Tj ET\n" % (560 - 11 * n, b"0001" * 90) for n in range(20))
    objects = [CATALOG, PAGES, page(fonts=b"/F1 5 0 R /F2 6 0 R /F3 7 0 R"), stream(whole() + unsaid), COURIER, BOLD,
               b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Signs /Encoding /Identity-H /DescendantFonts [8 0 R] >>",
               b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Signs /CIDSystemInfo << /Registry (Adobe) "
               b"/Ordering (Identity) /Supplement 0 >> /DW 400 /FontDescriptor 9 0 R >>",
               b"<< /Type /FontDescriptor /FontName /ABCDEF+Signs /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 "
               b"/Ascent 800 /Descent 0 /CapHeight 700 /StemV 80 >>"]
    return file(objects)


def filled_form(here):
    """Returns a form whose answers exist only in the appearances of its fields."""
    asked = [("Name of the counter", "Marit Solvang"), ("Stretch of the canal", "Upper lock to the old mill"),
             ("Nests that were found", "Forty-one, nine of them new")]
    text, _ = lines("Count of herons", 60, 760, 40, 18, b"F2")
    fields, looks = [], []
    first = 7
    for n, (question, answer) in enumerate(asked):
        y = 700 - 50 * n
        text += lines(question, 60, y)[0]
        look = first + len(asked) + n
        fields.append(b"<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /T (f%d) /V %s /Rect [240 %d 540 %d] /P 3 0 R "
                      b"/AP << /N %d 0 R >> >>" % (n, literal(answer), y - 4, y + 14, look))
        looks.append(stream(b"/Tx BMC BT /F1 10 Tf 2 5 Td %s Tj ET EMC" % literal(answer),
                            b"/Type /XObject /Subtype /Form /BBox [0 0 300 18] /Resources << /Font << /F1 5 0 R >> >> "))
    refs = b" ".join(b"%d 0 R" % (first + n) for n in range(len(asked)))
    catalog = b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%s] >> >>" % refs
    return file([catalog, PAGES, page(b"/Annots [%s] " % refs), stream(text), COURIER, BOLD, *fields, *looks])


PDFS = {
    "sideways": sideways,
    "hidden-words": hidden_words,
    "tagged-columns": tagged_columns,
    "unnamed-glyphs": unnamed_glyphs,
    "mirrored-glyphs": mirrored_glyphs,
    "chart-glyphs": chart_glyphs,
    "half-said": half_said,
    "filled-form": filled_form,
}
