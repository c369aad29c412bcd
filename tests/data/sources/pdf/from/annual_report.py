"""Makes a typical report of an authority with 20 pages: cover, contents, chapters, one page per route, running heads.

All figures are invented. Totals are computed from the routes, so they agree on all pages.
"""

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Frame, PageBreak, PageTemplate, Paragraph, Spacer, Table, TableStyle

TITLE = "Twelve routes, one timetable: ferries of the Sound in 2025"
AUTHORITY = "Sound Ferry Authority"

# Route, minutes, passengers in 2024 and 2025 in thousands, punctuality in %, a remark.
ROUTES = [
    ("Harwick–Sandholm", 25, 610, 671, 96, "The new pontoon at Sandholm opened in March. Boarding now takes four "
     "minutes instead of nine, and wheelchairs no longer wait for the tide."),
    ("Harwick–Great Orme Quay", 40, 480, 504, 94, "School classes made up a fifth of the passengers, because the "
     "museum on the quay gives free entry with a ferry ticket. The route needs a second boat in June."),
    ("Sandholm–Little Skerry", 15, 88, 97, 98, "The smallest boat of the fleet carried the most bicycles. Its skipper "
     "has asked for racks on the upper deck, which will be fitted in spring."),
    ("Marrow Point–Easter Isle", 55, 204, 190, 83, "Fog closed the route on 31 days, more than in any year since "
     "records began. A radar beacon at the breakwater has been ordered."),
    ("Marrow Point–Tern Bank", 30, 132, 151, 92, "Evening sailings were added in May at the request of the hospital. "
     "Night staff now reach the island and return without a car."),
    ("Brackwater–Harwick", 35, 540, 583, 95, "Commuters asked for quiet seats and got them. Complaints about noise "
     "fell from 64 to 12 in the first year."),
    ("Brackwater–Fiddler's Landing", 20, 166, 166, 97, "Nothing changed on this route, and nobody asked for a change. "
     "It has run to the same timetable since 1988."),
    ("Saltley–Great Orme Quay", 45, 98, 121, 91, "The bus from the railway station now waits for the boat. Missed "
     "connections used to be the main reason why people drove."),
    ("Saltley–Hermit Rock", 70, 24, 31, 88, "Half of all passengers came to see the puffins. Landings are limited to "
     "60 people a day so that the birds stay."),
    ("Northgate–Easter Isle", 60, 150, 144, 86, "The dock was rebuilt from September to November and passengers were "
     "taken by bus. Most of them came back in December."),
    ("Northgate–Long Reach", 25, 212, 236, 96, "Freight bicycles travel free since April. The island's two bakeries "
     "have given up their van."),
    ("Long Reach–Tern Bank", 50, 46, 46, 93, "The only route between two islands carries schoolchildren in the "
     "morning and vegetables in the afternoon."),
]

FOREWORD = [
    "A ferry is a promise with a timetable. In 2025 we kept that promise more often than in any year before, and this "
    "report says where we did not.",
    "Two decisions shaped the year. The first was to publish every delay on the pier within ten minutes, with its "
    "reason. We expected anger and got patience. The second was to let one timetable cover all twelve routes, so that "
    "boats meet where passengers change.",
    "Neither decision cost much. Both had been called impossible for a long time, mostly by people who sit in this "
    "office, the author included.",
]
SAFETY = [
    "There was no serious accident. Nine passengers and four members of crew were hurt, mostly on stairs in bad "
    "weather; all of them have recovered. In 2024 there had been 21 injuries.",
    "Every skipper took part in two rescue drills, one of them at night. The drills found three life rafts whose straps "
    "had been painted over, which no inspection had noticed.",
    "Alcohol remains the most frequent reason for refusing passengers. Crews refused 88 people, and in no case had to "
    "call the police.",
]
STAFF = [
    "The authority employed 214 people at the end of the year. Twenty-six joined and eleven left, four of them to "
    "retire. The share of women among skippers rose from 9% to 17%.",
    "Apprentices now spend their first three months on three different boats. It costs a little more, and nobody has "
    "broken off an apprenticeship since.",
    "Rosters are published eight weeks ahead. In the yearly survey, 78% of the staff said that they would recommend "
    "the authority to a friend.",
]
ENVIRONMENT = [
    "Two boats now run on batteries alone, and a third does so in harbour. Diesel use fell by 22% to 3.1 million "
    "litres, although more sailings were made.",
    "Shore power at Harwick replaces the engines that used to run all night. Neighbours say that they have started to "
    "hear the owls.",
    "Hulls are now brushed instead of painted with copper. The harbour at Brackwater is already clearer, and mussels "
    "have settled on the old pier.",
]
OUTLOOK = [
    "In 2026 a third battery boat will enter service between Harwick and Sandholm. The tender for a fourth will be "
    "published in autumn.",
    "Tickets will become simpler: one price for an hour on any boat, one for a day, and nothing for children under "
    "twelve. We expect to lose £180,000 in fares and to gain passengers who never count on their fingers again.",
    "Easter Isle stays our problem. A radar beacon will help in fog, but the pier is too short for the swell. A study "
    "of a longer pier costs £95,000 and will be ready in June.",
]


# The share of each month in a year's passengers, in percent, and the plans for 2026 on every third route.
SEASON = [5, 5, 6, 8, 10, 12, 14, 13, 9, 7, 5, 6]
MONTHS = "January February March April May June July August September October November December".split()
PLANS = [
    ["A ticket machine that takes coins again", "Lamps along the whole pier", "Two more sailings on Sundays in July"],
    ["New rubber on the gangway", "A shelter for eight bicycles", "The last boat leaves half an hour later on Fridays"],
    ["Benches on the sunny side", "A second life raft on the upper deck", "Announcements in sign language on a screen"],
]


def months(minutes, passengers, punctual):
    """Returns rows of month, passengers, sailings, late sailings, bicycles. The passengers add up to the year's."""
    rows, left = [], passengers * 1000
    for n, (month, share) in enumerate(zip(MONTHS, SEASON)):
        carried = left if n == 11 else passengers * share * 10
        left -= carried
        sailings = (30 if n in (3, 5, 8, 10) else 28 if n == 1 else 31) * max(4, 480 // minutes)
        rows.append([month, f"{carried:,}", f"{sailings:,}", round(sailings * (100 - punctual) / 100), f"{carried // 37:,}"])
    return rows


def millions(thousands):
    return f"{thousands / 1000:.2f} million"


def change(before, after):
    percent = round((after - before) * 100 / before)
    return "0%" if percent == 0 else f"{percent:+d}%".replace("-", "−")


def write(path, fonts):
    """Writes the report to `path`, with the faces registered as `fonts`."""
    serif, sans = fonts
    body = ParagraphStyle("body", fontName=serif, fontSize=11, leading=17, spaceAfter=9, alignment=4)
    h1 = ParagraphStyle("h1", fontName=sans, fontSize=22, leading=27, spaceAfter=12)
    h2 = ParagraphStyle("h2", fontName=sans, fontSize=13, leading=17, spaceBefore=10, spaceAfter=6)
    cover = ParagraphStyle("cover", fontName=sans, fontSize=38, leading=43, spaceAfter=16)
    small = ParagraphStyle("small", parent=body, fontSize=9, leading=13, alignment=0)

    def head(canvas, doc):
        canvas.saveState()
        if doc.page > 1:
            canvas.setFont(sans, 8)
            canvas.drawString(25 * mm, 283 * mm, f"{AUTHORITY} · Annual report 2025")
            canvas.drawRightString(185 * mm, 12 * mm, f"{doc.page} / 20")
            canvas.line(25 * mm, 280 * mm, 185 * mm, 280 * mm)
        canvas.restoreState()

    doc = BaseDocTemplate(str(path), pagesize=A4, title=TITLE, author=AUTHORITY, invariant=1, lang="en")
    doc.addPageTemplates(PageTemplate(frames=[Frame(25 * mm, 20 * mm, 160 * mm, 255 * mm)], onPage=head))

    before, after = sum(r[2] for r in ROUTES), sum(r[3] for r in ROUTES)
    rule = TableStyle([
        ("FONT", (0, 0), (-1, -1), serif, 10), ("FONT", (0, 0), (-1, 0), sans, 10),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.grey), ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
    ])
    story = [Spacer(1, 60 * mm), Paragraph(TITLE, cover), Paragraph(f"Annual report of the {AUTHORITY}", h2), PageBreak()]
    chapters = ["Foreword", "The year in figures", "The routes", *[r[0] for r in ROUTES], "Safety", "People",
                "Environment", "Outlook"]
    pages = [3, 4, 4, *range(5, 17), 17, 18, 19, 20]
    story += [Paragraph("Contents", h1)]
    story += [Paragraph(f"{c} {'. ' * (70 - len(c))} {p}", small) for c, p in zip(chapters, pages)]
    story += [PageBreak(), Paragraph("Foreword", h1), *[Paragraph(t, body) for t in FOREWORD]]
    story += [Paragraph("Marion Ashdown, chair of the authority", small), PageBreak()]

    story += [
        Paragraph("The year in figures", h1),
        Paragraph(f"In 2025 the ferries of the Sound carried {millions(after)} passengers, {change(before, after)} "
                  f"compared with {millions(before)} the year before. On average, 94 of 100 sailings left within five "
                  "minutes of the timetable. Each passenger cost the public £1.12, eleven pence less than in 2024.", body),
        Paragraph("All routes", h2),
        Table([["Route", "Minutes", "2024", "2025", "Change"],
               *[[n, m, b, a, change(b, a)] for n, m, b, a, _, _ in ROUTES],
               ["All routes", "", f"{before:,}", f"{after:,}", change(before, after)]],
              colWidths=[70 * mm, 20 * mm, 22 * mm, 22 * mm, 22 * mm], style=rule),
        Spacer(1, 4 * mm), Paragraph("Passengers in thousands.", small), PageBreak(),
    ]
    for n, (name, minutes, b, a, punctual, special) in enumerate(ROUTES, 1):
        trend = "grew" if a > b else "fell" if a < b else "did not change"
        amount = f" by {abs(a - b)},000" if a != b else ""
        ahead, astern = name.split("–")
        story += [
            Paragraph(f"Route {n}: {name}", h1),
            Paragraph(f"The crossing from {ahead} to {astern} takes {minutes} minutes. Passenger numbers {trend}{amount} "
                      f"to {a},000. Of 100 sailings, {punctual} left within five minutes of the timetable.", body),
            Paragraph("What was special", h2), Paragraph(special, body),
            Paragraph("Figures", h2),
            Table([["", "2024", "2025"], ["Passengers, thousands", b, a],
                   ["Passengers a day", round(b * 1000 / 366), round(a * 1000 / 365)], ["Punctual sailings", "", f"{punctual}%"]],
                  colWidths=[80 * mm, 35 * mm, 35 * mm], style=rule, hAlign="LEFT"),
            Paragraph("Month by month", h2),
            Table([["Month", "Passengers", "Sailings", "Late", "Bicycles"], *months(minutes, a, punctual)],
                  colWidths=[50 * mm, 30 * mm, 25 * mm, 20 * mm, 25 * mm], style=rule, hAlign="LEFT"),
            Paragraph("Planned for 2026", h2), *[Paragraph(f"• {plan}", body) for plan in PLANS[n % 3]],
            PageBreak(),
        ]
    for title, texts in [("Safety", SAFETY), ("People", STAFF), ("Environment", ENVIRONMENT), ("Outlook", OUTLOOK)]:
        story += [Paragraph(title, h1), *[Paragraph(t, body) for t in texts]]
        story += [] if title == "Outlook" else [PageBreak()]
    doc.build(story)
