#!/usr/bin/env python3
"""Makes emoji.bin.zst of this folder: every emoji sequence of Unicode's list, and a vector picture for each.

The list and the pictures come from npm packages, which npm installs by name and version from its configured registry.
README.md says which packages, and why.

Needs: npm; lxml, picosvg, skia-pathops and zstandard from PyPI.  Use: python3 vendor.py
"""

import collections
import json
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile

import zstandard

from pack import pack
from picture import layers_of, rounded_rectangle, rounded_rectangle_data

HERE = pathlib.Path(__file__).resolve().parent

PACKAGES = {
    "emojibase-data": "17.0.0",
    "@iconify-json/fluent-emoji-flat": "1.2.6",
    "@iconify-json/noto": "1.2.9",
    "flag-icons": "7.5.0",
}

TONES = {"1F3FB": "light", "1F3FC": "medium-light", "1F3FD": "medium", "1F3FE": "medium-dark", "1F3FF": "dark"}
# Skin colours of Fluent, from its raised hand.
SKIN = {"1F3FB": "#f7dec3", "1F3FC": "#f3d2a2", "1F3FD": "#d5ab88", "1F3FE": "#af7e57", "1F3FF": "#7c533e"}
# Hair components, which occur only within sequences.
LEFT_OUT = {"1F9B0", "1F9B1", "1F9B2", "1F9B3"}

# Regions whose flag has another file name, or is another region's flag.
FLAG_FILES = {"ac": "sh-ac", "ta": "sh-ta", "ea": "es"}
# Position of a flag in the box of 32: 4:3 like the files, as wide as Fluent's widest pictures.
FLAG = (1.0, 4.75, 31.0, 27.25)
CORNER = 2.0
SARK = """<path fill="#fff" d="M0 0h640v480H0z"/><path fill="#ce1124" d="M0 0h368v192h272v96H368v192h-96V288H0z"/>
<path fill="#fcd116" d="M60 52c18-22 40-8 58-4h60c10-16 32-12 36 4l-12 10c-6 8-12 14-22 14h-72l-10 12H78l8-16-14-8z
M60 124c18-22 40-8 58-4h60c10-16 32-12 36 4l-12 10c-6 8-12 14-22 14h-72l-10 12H78l8-16-14-8z"/>"""


def bare(hexcode):
    """Returns the code points of a sequence without U+FE0F."""
    return "-".join(h for h in hexcode.upper().split("-") if h != "FE0F")


def read(root, package, name):
    return json.loads((root / "node_modules" / package / name).read_text(encoding="utf-8"))


class Icons:
    """A set of pictures in Iconify's format."""

    def __init__(self, root, package):
        data = read(root, package, "icons.json")
        self.icons, self.aliases = data["icons"], data.get("aliases", {})
        self.size = data["width"]
        self.names = {bare(k): v for k, v in read(root, package, "chars.json").items()}

    def job(self, name, fill, **rest):
        """Returns a picture as arguments of `layers_of`; `fill` is the share of the box's width for the view box."""
        alias = self.aliases.get(name, {})
        icon = self.icons[alias.get("parent", name)]
        w, h = icon.get("width", self.size), icon.get("height", self.size)
        left, top = icon.get("left", 0), icon.get("top", 0)
        scale = 32 * fill / max(w, h)
        flip = alias.get("hFlip", False)
        dx = 16 + scale * (left + w / 2) * (1 if flip else -1)
        return dict(body=icon["body"], view_box=f"{left} {top} {w} {h}", clip=None,
                    place=(scale, dx, 16 - scale * (top + h / 2), flip), **rest)


def flag_job(root, region):
    if region == "cq":
        body = SARK
    else:
        path = root / "node_modules/flag-icons/flags/4x3" / f"{FLAG_FILES.get(region, region)}.svg"
        svg = path.read_text(encoding="utf-8")
        body = svg[svg.index(">") + 1:svg.rindex("</svg>")]
    x0, y0, x1, _ = FLAG
    return dict(body=body, view_box="0 0 640 480", place=((x1 - x0) / 640, x0, y0, False), clip=FLAG,
                least=0.3, slack=0.03)


def region_of(hexcode):
    """Returns the region of a flag sequence, as flag-icons names it."""
    points = [int(h, 16) for h in hexcode.split("-")]
    if len(points) == 2 and all(0x1F1E6 <= p <= 0x1F1FF for p in points):
        return "".join(chr(p - 0x1F1E6 + ord("a")) for p in points)
    if len(points) > 2 and points[0] == 0x1F3F4 and points[-1] == 0xE007F:
        tags = "".join(chr(p - 0xE0000) for p in points[1:-1])
        return f"{tags[:2]}-{tags[2:]}"
    return None


def swatch_job(colour):
    body = f'<path fill="{colour}" d="{rounded_rectangle_data(4, 4, 28, 28, 6)}"/>'
    return dict(body=body, view_box="0 0 32 32", place=(1, 0, 0, False), clip=None)


def choose(hexcode, root, fluent, noto):
    """Returns the source and the name of the picture of a sequence, and its arguments of `layers_of`."""
    key = bare(hexcode)
    region = region_of(key)
    if region:
        return "flag-icons", region, flag_job(root, region)
    if key in SKIN:
        return "own", key, swatch_job(SKIN[key])
    name = fluent.names.get(key)
    if name is None:
        # The set contains a few pictures with skin tones that it doesn't list: those of sequences with a single tone.
        parts = key.split("-")
        tones = [p for p in parts if p in TONES]
        base = fluent.names.get("-".join(p for p in parts if p not in TONES))
        if base and len(tones) == 1 and f"{base}-{TONES[tones[0]]}" in fluent.icons:
            name = f"{base}-{TONES[tones[0]]}"
        elif key.startswith("1F449"):
            name = "backhand-index-pointing-right" + "".join(f"-{TONES[t]}" for t in tones)
    if name:
        return "fluent", name, fluent.job(name, 1.0)
    name = noto.names[key]
    return "noto", name, noto.job(name, 30 / 32, least=0.25, slack=0.03)


def draw(job):
    clip = job["clip"]
    if clip:
        job = {**job, "clip": rounded_rectangle(*clip, CORNER)}
    layers = layers_of(**job)
    if clip:
        layers += edge(clip)
    return layers


def edge(box):
    """Returns a faint line inside the edge of a flag, so that a white field has a visible edge on a white page."""
    x0, y0, x1, y1 = box
    width = 0.4
    inner = rounded_rectangle_data(x0 + width, y0 + width, x1 - width, y1 - width, CORNER - width)
    body = (f'<path fill="#000" fill-opacity=".15" fill-rule="evenodd" '
            f'd="{rounded_rectangle_data(*box, CORNER)}{inner}"/>')
    return layers_of(body, "0 0 32 32", (1, 0, 0, False))


def emoji_list(root):
    """Yields every sequence as (hexcode, whether text by default)."""
    for entry in read(root, "emojibase-data", "en/data.json"):
        for one in (entry, *entry.get("skins", ())):
            if one["hexcode"] not in LEFT_OUT:
                yield one["hexcode"], one["type"] == 0


def main():
    with tempfile.TemporaryDirectory() as tmp:
        root = pathlib.Path(tmp)
        wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", tmp, *wanted],
                       check=True)
        fluent, noto = Icons(root, "@iconify-json/fluent-emoji-flat"), Icons(root, "@iconify-json/noto")
        numbers, jobs, sequences = {}, [], []
        for hexcode, is_text in emoji_list(root):
            source, name, job = choose(hexcode, root, fluent, noto)
            if (source, name) not in numbers:
                numbers[source, name] = len(jobs)
                jobs.append(job)
            points = tuple(int(h, 16) for h in bare(hexcode).split("-"))
            sequences.append((points, is_text and len(points) == 1, numbers[source, name]))
        with multiprocessing.Pool() as pool:
            pictures = pool.map(draw, jobs, chunksize=16)
    empty = [name for name, number in numbers.items() if not pictures[number]]
    if empty:
        sys.exit(f"without anything to see: {empty}")
    first = {}
    same = [first.setdefault(repr(layers), n) for n, layers in enumerate(pictures)]
    kept = {n: place for place, n in enumerate(first.values())}
    sequences = [(points, is_text, kept[same[n]]) for points, is_text, n in sequences]
    data = pack([pictures[n] for n in kept], sequences)
    params = zstandard.ZstdCompressionParameters.from_level(22, source_size=len(data), window_log=23,
                                                            write_checksum=True)
    packed = zstandard.ZstdCompressor(compression_params=params).compress(data)
    (HERE / "emoji.bin.zst").write_bytes(packed)
    print(collections.Counter(source for source, _ in numbers), "pictures,", len(kept), "of them unlike,",
          len(sequences), "sequences")
    for source in ("fluent", "noto", "flag-icons"):
        own = [pictures[n] for (s, _), n in numbers.items() if s == source]
        alone = zstandard.ZstdCompressor(compression_params=params).compress(pack(own, []))
        print(f"{source}: {len(own)} pictures, {sum(map(len, own))} layers, {len(pack(own, []))} -> {len(alone)} alone")
    print(f"{len(data)} -> {len(packed)} bytes")


if __name__ == "__main__":
    main()
