#!/usr/bin/env python3
"""Makes the pictures of this folder: a chart of 24 colours in many colour spaces, and a picture of four fields in every
orientation. `chart.png` and `fields.png` are the expected results; the reference of each CMYK file is its conversion by
Pillow and LittleCMS.

Needs: Pillow 11.3 or later, with LittleCMS and AVIF.  Use: python3 make.py
"""

import io
import struct
import zlib
from pathlib import Path

from PIL import Image, ImageCms, ImageDraw

HERE = Path(__file__).parent
# All within sRGB, so that a wider space represents each of them exactly.
CHART = [
    (115, 82, 68), (194, 150, 130), (98, 122, 157), (87, 108, 67), (133, 128, 177), (103, 189, 170),
    (214, 126, 44), (80, 91, 166), (193, 90, 99), (94, 60, 108), (157, 188, 64), (224, 163, 46),
    (56, 61, 150), (70, 148, 73), (175, 54, 60), (231, 199, 31), (187, 86, 149), (40, 133, 161),
    (243, 243, 242), (200, 200, 200), (160, 160, 160), (122, 122, 121), (85, 85, 85), (52, 52, 52),
]
FIELDS = [(210, 30, 30), (30, 160, 60), (30, 60, 200), (250, 250, 250)]
D65 = (0.3127, 0.3290)
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
ADOBE = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))


def chart():
    image = Image.new("RGB", (96, 64))
    draw = ImageDraw.Draw(image)
    for n, colour in enumerate(CHART):
        x, y = n % 6 * 16, n // 6 * 16
        draw.rectangle((x, y, x + 15, y + 15), fill=colour)
    return image


def fields():
    image = Image.new("RGB", (48, 32))
    draw = ImageDraw.Draw(image)
    for n, colour in enumerate(FIELDS):
        x, y = n % 2 * 24, n // 2 * 16
        draw.rectangle((x, y, x + 23, y + 15), fill=colour)
    return image


# Minimal ICC profiles (ICC.1:2001-04).


def multiplied(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(len(b[0]))] for i in range(3)]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    rows = [[e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f],
            [d * h - e * g, b * g - a * h, a * e - b * d]]
    return [[v / det for v in row] for row in rows]


def xyz(x, y):
    return [[x / y], [1.0], [(1 - x - y) / y]]


def colorants(primaries):
    """Returns the matrix from linear RGB to XYZ under D50 (Bradford)."""
    columns = [xyz(*p) for p in primaries]
    m = [[columns[j][i][0] for j in range(3)] for i in range(3)]
    white = xyz(*D65)
    scale = multiplied(inverse(m), white)
    m = [[m[i][j] * scale[j][0] for j in range(3)] for i in range(3)]
    bradford = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    from_, to = multiplied(bradford, white), multiplied(bradford, [[0.9642], [1.0], [0.8249]])
    adapt = [[to[i][0] / from_[i][0] if i == j else 0 for j in range(3)] for i in range(3)]
    adapt = multiplied(inverse(bradford), multiplied(adapt, bradford))
    return multiplied(adapt, m)


def fixed(v):
    return struct.pack(">i", round(v * 65536))


def xyz_tag(values):
    return b"XYZ \0\0\0\0" + b"".join(fixed(v) for v in values)


def curve(gamma):
    """Returns a tone curve: a power, or the 1024 values of the sRGB curve if `gamma` is `None`."""
    if gamma:
        return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256))
    linear = lambda v: v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
    return b"curv\0\0\0\0" + struct.pack(">I1024H", 1024, *(round(linear(i / 1023) * 65535) for i in range(1024)))


def profile(kind, space, pcs, tags):
    tags = {b"desc": b"desc\0\0\0\0" + struct.pack(">I", 5) + b"Test\0" + bytes(78), b"cprt": b"text\0\0\0\0CC0\0",
            b"wtpt": xyz_tag((0.9642, 1.0, 0.8249)), **tags}
    table, data, at = b"", b"", 128 + 4 + 12 * len(tags)
    known = {}
    for name, tag in tags.items():
        if tag not in known:
            known[tag] = at + len(data)
            data += tag + bytes(-len(tag) % 4)
        table += name + struct.pack(">II", known[tag], len(tag))
    body = struct.pack(">I", len(tags)) + table + data
    head = struct.pack(">I4sI4s4s4s6H4s", 128 + len(body), b"none", 0x02400000, kind, space, pcs, 2026, 1, 1, 0, 0, 0, b"acsp")
    head += bytes(28) + fixed(0.9642) + fixed(1.0) + fixed(0.8249)
    return head + bytes(128 - len(head)) + body


def rgb_profile(primaries, gamma):
    m = colorants(primaries)
    tone = curve(gamma)
    tags = {name: xyz_tag([m[i][j] for i in range(3)]) for j, name in enumerate([b"rXYZ", b"gXYZ", b"bXYZ"])}
    return profile(b"mntr", b"RGB ", b"XYZ ", {**tags, b"rTRC": tone, b"gTRC": tone, b"bTRC": tone})


def grey_profile(gamma):
    return profile(b"mntr", b"GRAY", b"XYZ ", {b"kTRC": curve(gamma)})


def cmyk_profile():
    """Returns a profile in which the transmittances of mixed inks multiply, sampled in four steps per ink."""
    identity = struct.pack(">9i", *(65536 if i % 4 == 0 else 0 for i in range(9)))
    ramp = bytes(range(256))
    through = [(0, 120, 200), (205, 20, 110), (250, 230, 20), (35, 31, 32)]
    to_lab = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")
    grid = Image.new("RGB", (625, 1))
    for n in range(625):
        amounts = [(n // 5 ** (3 - ink)) % 5 / 4 for ink in range(4)]
        rgb = [1.0, 1.0, 1.0]
        for amount, ink in zip(amounts, through):
            rgb = [v * (1 - amount + amount * i / 255) for v, i in zip(rgb, ink)]
        grid.putpixel((n, 0), tuple(round(v * 255) for v in rgb))
    lab = ImageCms.applyTransform(grid, to_lab)
    points = b"".join(bytes(lab.getpixel((n, 0))) for n in range(625))
    lut = b"mft1\0\0\0\0" + bytes((4, 3, 5, 0)) + identity + ramp * 4 + points + ramp * 3
    return profile(b"prtr", b"CMYK", b"Lab ", {b"A2B0": lut})


def converted(image, icc, mode="RGB"):
    """Converts an image to the space of a profile."""
    of = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    return ImageCms.profileToProfile(image, ImageCms.createProfile("sRGB"), of, outputMode=mode)


# Files that Pillow can't write.


def png(width, height, depth, colour, rows, chunks=()):
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">2I5B", width, height, depth, colour, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    parts = [(b"IHDR", header), *chunks, (b"IDAT", body), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def encoded(v):
    """Encodes a value of linear light in sRGB; `linear` is the inverse."""
    return v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


def linear(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def exact(image, primaries, curve):
    """Yields rows of 16 bits per channel in another space, without intermediate rounding."""
    m = multiplied(inverse(colorants(primaries)), colorants(SRGB))
    for y in range(image.height):
        row = b""
        for x in range(image.width):
            light = [[linear(v / 255)] for v in image.getpixel((x, y))]
            row += struct.pack(">3H", *(round(curve(min(max(v[0], 0), 1)) * 65535) for v in multiplied(m, light)))
        yield row


def cmyk_jpeg(image, adobe, plain=False, **options):
    """Returns a CMYK JPEG, inverted unless `plain`. `adobe` is the transform in its Adobe marker; `None`: no marker."""
    out = io.BytesIO()
    # Pillow inverts the values, and writes the marker.
    stored = Image.merge("CMYK", [band.point(lambda v: 255 - v) for band in image.split()]) if plain else image
    stored.save(out, "JPEG", quality=95, **options)
    file = bytearray(out.getvalue())
    at = file.find(b"\xff\xee\x00\x0eAdobe")
    if adobe is None:
        del file[at:at + 16]
    else:
        file[at + 15] = adobe
    return bytes(file)


def ycck(image):
    """Returns the YCCK planes of a CMYK picture, for a file whose marker declares YCCK."""
    # The stored C, M and Y are inverted. They are inverted again as RGB, before the conversion to YCbCr.
    rgb = Image.merge("RGB", image.split()[:3])
    y, cb, cr = rgb.convert("YCbCr").split()
    k = image.split()[3]
    flip = lambda band: band.point(lambda v: 255 - v)
    return Image.merge("CMYK", (flip(y), flip(cb), flip(cr), k))


def seen(file):
    """Converts a file to RGB with LittleCMS, or with Pillow if it has no profile."""
    image = Image.open(io.BytesIO(file))
    icc = image.info.get("icc_profile")
    if not icc:
        return image.convert("RGB")
    return ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(icc)), ImageCms.createProfile("sRGB"), outputMode="RGB")


def colours():
    image = chart()
    image.save(HERE / "chart.png", optimize=True)
    for name, icc in {"p3": rgb_profile(P3, None), "adobe-rgb": rgb_profile(ADOBE, 563 / 256)}.items():
        wide = converted(image, icc)
        wide.save(HERE / f"chart-{name}.png", optimize=True, icc_profile=icc)
        wide.save(HERE / f"chart-{name}.jpg", quality=95, subsampling=0, icc_profile=icc)
        wide.save(HERE / f"chart-{name}.webp", lossless=True, icc_profile=icc)
        wide.save(HERE / f"chart-{name}.avif", quality=100, subsampling="4:4:4", icc_profile=icc)
    image.save(HERE / "chart-srgb.avif", quality=100, subsampling="4:4:4")
    image.save(HERE / "chart-420-limited.avif", quality=95, subsampling="4:2:0", range="limited")
    image.convert("L").save(HERE / "chart-grey.avif", quality=100)
    image.convert("L").save(HERE / "chart-grey.png", optimize=True)

    icc = (b"iCCP", b"p\0\0" + zlib.compress(rgb_profile(P3, None), 9))
    size = image.size
    (HERE / "chart-p3-16.png").write_bytes(png(*size, 16, 2, exact(image, P3, encoded), [icc]))
    coded = (b"cICP", bytes((12, 13, 0, 1)))
    (HERE / "chart-cicp-16.png").write_bytes(png(*size, 16, 2, exact(image, P3, encoded), [coded]))
    light = (b"gAMA", struct.pack(">I", 100_000))
    (HERE / "chart-linear-16.png").write_bytes(png(*size, 16, 2, exact(image, SRGB, lambda v: v), [light]))
    # Grey with a gamma of 1.8, as on old Macintoshes.
    grey = image.convert("L").point(lambda v: round(linear(v / 255) ** (1 / 1.8) * 255))
    grey.save(HERE / "chart-grey-gamma.png", optimize=True, icc_profile=grey_profile(1.8))

    inks = Image.merge("CMYK", [*(band.point(lambda v: 255 - v) for band in image.split()), Image.new("L", size)])
    inks = Image.merge("CMYK", [band.point(lambda v: v * 3 // 4) for band in inks.split()[:3]] + [image.convert("L").point(lambda v: (255 - v) // 3)])
    files = {
        "cmyk-adobe": cmyk_jpeg(inks, 0),
        "cmyk-plain": cmyk_jpeg(inks, None, plain=True),
        "cmyk-unmarked": cmyk_jpeg(inks, None),
        "cmyk-progressive": cmyk_jpeg(inks, 0, progressive=True),
        "ycck": cmyk_jpeg(ycck(inks), 2),
        "cmyk-profile": cmyk_jpeg(inks, 0, icc_profile=cmyk_profile()),
        "cmyk-profile-plain": cmyk_jpeg(inks, None, plain=True, icc_profile=cmyk_profile()),
        "ycck-profile": cmyk_jpeg(ycck(inks), 2, icc_profile=cmyk_profile()),
    }
    for name, file in files.items():
        (HERE / f"{name}.jpg").write_bytes(file)
    for name in ("cmyk-adobe", "cmyk-profile", "ycck", "ycck-profile"):
        seen(files[name]).save(HERE / f"{name}.png", optimize=True)


def orientations():
    image = fields()
    image.save(HERE / "fields.png", optimize=True)
    turns = [None, Image.FLIP_LEFT_RIGHT, Image.ROTATE_180, Image.FLIP_TOP_BOTTOM, Image.TRANSPOSE, Image.ROTATE_90,
             Image.TRANSVERSE, Image.ROTATE_270]
    for value, turn in enumerate(turns, 1):
        exif = Image.Exif()
        exif[0x0112] = value
        stored = image.transpose(turn) if turn is not None else image
        stored.save(HERE / f"fields-{value}.png", optimize=True, exif=exif)
        stored.save(HERE / f"fields-{value}.webp", lossless=True, exif=exif)
        # Pillow moves the orientation from the Exif data to properties of the item.
        stored.save(HERE / f"fields-{value}.avif", quality=90, subsampling="4:4:4", exif=exif)
    # Exif after the pixels, where some programs write it.
    file = (HERE / "fields-6.png").read_bytes()
    at = file.index(b"eXIf") - 4
    end = at + 12 + struct.unpack(">I", file[at:at + 4])[0]
    chunk, rest = file[at:end], file[:at] + file[end:]
    (HERE / "fields-6-late.png").write_bytes(rest[:-12] + chunk + rest[-12:])
    # The maximum number of pixels that is read, rotated and transparent.
    exif = Image.Exif()
    exif[0x0112] = 6
    large = Image.new("RGBA", (4000, 4000), (*FIELDS[1], 200))
    large.save(HERE / "large.avif", quality=60, subsampling="4:4:4", exif=exif, speed=10)
    sheer = image.convert("RGBA")
    sheer.putalpha(Image.linear_gradient("L").resize(image.size))
    sheer.save(HERE / "sheer.avif", quality=100, subsampling="4:4:4")
    sheer.save(HERE / "sheer.png", optimize=True)


colours()
orientations()
