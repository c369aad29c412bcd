"""Makes a typical invoice of a small company: address block, table of items, sums, small print."""

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table, TableStyle

# Description, quantity, unit price in cents.
POSITIONS = [
    ("Fahrradständer „Anker“, feuerverzinkt", 12, 8_950),
    ("Bodenhülse mit Deckel", 12, 1_490),
    ("Lieferung bis Bordsteinkante", 1, 14_500),
    ("Montage vor Ort, je Stunde", 6, 5_800),
]


def euro(cents):
    whole, rest = divmod(cents, 100)
    return f"{whole:,}".replace(",", ".") + f",{rest:02} €"


def write(path, fonts):
    """Writes the invoice to `path`, with the faces registered as `fonts`."""
    regular, bold = fonts
    c = Canvas(str(path), pagesize=A4, invariant=1, lang="de")
    c.setTitle("Rechnung 2026-0417")
    c.setAuthor("Metallbau Ohlsen GmbH")

    def line(x, y, text, font=regular, size=10, right=False):
        c.setFont(font, size)
        (c.drawRightString if right else c.drawString)(x * mm, y * mm, text)

    line(25, 270, "Metallbau Ohlsen GmbH", bold, 15)
    line(25, 264, "Werftstraße 8 · 24768 Rendsmark", size=9)
    for n, text in enumerate(["Gemeinde Westerdiek", "Bauamt, Frau Petersen", "Am Markt 1", "25899 Westerdiek"]):
        line(25, 245 - 5 * n, text)
    line(185, 245, "Rechnungsnummer: 2026-0417", right=True)
    line(185, 240, "Kundennummer: 30118", right=True)
    line(185, 235, "Rechnungsdatum: 17. August 2026", right=True)
    line(185, 230, "Leistungsdatum: 12. August 2026", right=True)
    line(25, 210, "Rechnung 2026-0417", bold, 16)
    line(25, 201, "Sehr geehrte Frau Petersen,")
    line(25, 194, "für die zwölf Fahrradständer am Bahnhof Westerdiek berechnen wir Ihnen wie vereinbart:")
    rows = [["Pos.", "Bezeichnung", "Menge", "Einzelpreis", "Gesamt"]]
    rows += [[n, text, count, euro(price), euro(count * price)] for n, (text, count, price) in enumerate(POSITIONS, 1)]
    net = sum(count * price for _, count, price in POSITIONS)
    tax = round(net * 19 / 100)
    rows += [["", "Zwischensumme netto", "", "", euro(net)], ["", "Umsatzsteuer 19 %", "", "", euro(tax)],
             ["", "Rechnungsbetrag", "", "", euro(net + tax)]]
    table = Table(rows, colWidths=[12 * mm, 78 * mm, 18 * mm, 26 * mm, 26 * mm], style=TableStyle([
        ("FONT", (0, 0), (-1, -1), regular, 10), ("FONT", (0, 0), (-1, 0), bold, 10), ("FONT", (0, -1), (-1, -1), bold, 10),
        ("ALIGN", (2, 0), (-1, -1), "RIGHT"), ("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.black),
        ("LINEABOVE", (0, -3), (-1, -3), 0.4, colors.black), ("LINEABOVE", (0, -1), (-1, -1), 0.8, colors.black),
    ]))
    _, height = table.wrapOn(c, 160 * mm, 100 * mm)
    table.drawOn(c, 25 * mm, 187 * mm - height)
    line(25, 118, "Zahlbar innerhalb von 14 Tagen ohne Abzug. Bei Zahlung bis zum 24. August gewähren wir 2 % Skonto.")
    line(25, 111, "Die Ständer tragen zehn Jahre Garantie gegen Durchrosten.")
    line(25, 98, "Mit freundlichen Grüßen")
    line(25, 91, "Antje Ohlsen")
    for n, text in enumerate(["Geschäftsführerin: Antje Ohlsen · Amtsgericht Rendsmark HRB 4471 · USt-IdNr. DE000000000",
                              "Bankverbindung: Förde-Bank · IBAN DE00 0000 0000 0000 0000 00"]):
        line(25, 16 - 4 * n, text, size=7.5)
    c.showPage()
    c.save()
