#!/usr/bin/env python3
"""Makes the logos of this folder: the same disc in many file formats.

Needs: Pillow 10 or later.  Use: python3 make.py
"""

import struct
import zlib
from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).parent
RED, CLEAR = (200, 30, 40, 255), (255, 255, 255, 0)


def disc(size=(96, 64), box=(16, 8, 64, 56)):
    """Returns a red disc of 48 pixels on a transparent background."""
    image = Image.new("RGBA", size, CLEAR)
    ImageDraw.Draw(image).ellipse((box[0], box[1], box[2] - 1, box[3] - 1), fill=RED)
    return image


def on_white(image):
    ground = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return Image.alpha_composite(ground, image).convert("RGB")


def sixteen_bits(image):
    """Returns a PNG of 16 bits per channel, which Pillow can't write."""
    width, height = image.size
    rows = []
    for y in range(height):
        pixels = (image.getpixel((x, y)) for x in range(width))
        rows.append(b"\0" + b"".join(struct.pack(">4H", *(v * 257 for v in p)) for p in pixels))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">2I5B", width, height, 16, 6, 0, 0, 0)
    body = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


image = disc()
image.save(HERE / "disc.png", optimize=True)
(HERE / "disc-16.png").write_bytes(sixteen_bits(image))
image.quantize(16).save(HERE / "disc-palette.png", optimize=True)
image.convert("LA").save(HERE / "disc-grey.png", optimize=True)
image.save(HERE / "disc-lossless.webp", lossless=True)
image.save(HERE / "disc-lossy.webp", quality=90)
on_white(image).save(HERE / "disc.jpg", quality=92)
on_white(image).convert("L").save(HERE / "disc-grey.jpg", quality=92)
on_white(image).convert("CMYK").save(HERE / "disc-cmyk.jpg", quality=92)
# The second frame of the animation differs.
image.save(HERE / "disc.gif", save_all=True, append_images=[Image.new("RGBA", image.size, (0, 0, 255, 255))])
