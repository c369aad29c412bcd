"""Makes a report with pictures: a logo on each page, a chart, a table as pixels like a screenshot, and a photograph (a
meadow from above, generated from noise, so that nobody has rights to it)."""

import io
import random

from PIL import Image, ImageChops, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfgen.canvas import Canvas

TITLE = "A meadow on the roof of a car park"
FIRST = [
    "In April 2024 the town of Ellmouth sowed 1,900 square metres of meadow on the top deck of its emptiest car park. "
    "Two summers later it is counted, and the figures are better than the council had hoped.",
    "# What grew",
    "Of 46 species that were sown 38 came up, and 11 came by themselves. Wild carrot and kidney vetch took the most room.",
    "The deck below stays 6 °C cooler on hot afternoons, so the council has switched off two of its four fans.",
]
SECOND = [
    "# Who came",
    "Volunteers counted insects on 14 mornings. They found 61 kinds of bees and hoverflies, against 9 on the bare deck "
    "next door.",
    "“We expected grass. We got a roof that hums,” says Tilda Marsh, who keeps the count.",
    "# What it cost",
    "The meadow cost £74,000, of which soil was two thirds. It saves £5,200 a year in drainage charges.",
]


def noise(width, height, seed):
    """Returns grey clouds: octaves of random bytes, each half as strong as the one before."""
    rng = random.Random(seed)
    out = Image.new("L", (width, height), 128)
    for octave in range(2, 9):
        w, h = 2**octave, max(2, 2**octave * height // width)
        layer = Image.frombytes("L", (w, h), rng.randbytes(w * h)).resize((width, height), Image.Resampling.BICUBIC)
        out = Image.blend(out, layer, 0.5 if octave < 4 else 0.28)
    return out


def photograph():
    width, height = 1000, 640
    ramp = Image.linear_gradient("L").resize((width, height))
    hills = ImageChops.add(ramp, noise(width, height, 5), scale=1.6, offset=-30)
    blades = noise(width, height, 9).resize((width, height * 3)).crop((0, 0, width, height))
    light = ImageChops.add(hills, blades, scale=1.9)
    # A dark green with almost the same hue everywhere.
    bands = [light.point(lambda v: v * 0.10 + 6), light.point(lambda v: 34 + v * 0.62), light.point(lambda v: 14 + v * 0.24)]
    file = io.BytesIO()
    Image.merge("RGB", bands).save(file, "JPEG", quality=72)
    return file


def chart():
    image = Image.new("RGB", (900, 520), "white")
    draw = ImageDraw.Draw(image)
    for n, kinds in enumerate([9, 23, 44, 61]):
        draw.rectangle([90 + n * 200, 480 - kinds * 7, 210 + n * 200, 480], fill="#2d6cdf")
    draw.line([60, 480, 860, 480], fill="#333333", width=3)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file


def mark():
    image = Image.merge("RGB", [noise(640, 320, n) for n in (1, 2, 3)])
    file = io.BytesIO()
    image.save(file, "JPEG", quality=60)
    return file


def write(out):
    width, height = A4
    c = Canvas(str(out), pagesize=A4, invariant=1)
    c.setTitle(TITLE)
    signet = ImageReader(mark())

    def text(lines, y):
        for line in lines:
            head = line.startswith("# ")
            font, size = ("Helvetica-Bold", 15) if head else ("Helvetica", 11)
            y -= 10 if head else 0
            for part in simpleSplit(line.removeprefix("# "), font, size, width - 120):
                c.setFont(font, size)
                c.drawString(60, y, part)
                y -= size * 1.45
            y -= 6
        return y

    def page(lines, y, picture, high):
        c.drawImage(signet, width - 180, height - 70, 120, 60)
        y = text(lines, y)
        wide = high * picture.getSize()[0] / picture.getSize()[1]
        c.drawImage(picture, 60, y - high, wide, high)
        c.showPage()

    c.setFont("Helvetica-Bold", 26)
    c.drawString(60, height - 110, TITLE)
    page(FIRST, height - 150, ImageReader(chart()), 220)
    page(SECOND, height - 110, ImageReader(photograph()), 280)
    c.save()
