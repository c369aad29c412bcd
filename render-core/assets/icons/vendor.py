#!/usr/bin/env python3
"""Makes the tables of this folder. icons.bin.zst has the names and words of the icons in concepts.toml, and their
drawings in five families. marks.bin.zst has the same for the brands in marks.toml.

The drawings come from npm packages, which npm installs by name and version from its configured registry. The script
fails if a package lacks a name, two concepts share a drawing, or a word belongs to two concepts.
`src/icon/packed.rs` reads the files and documents their format.

Needs: npm; picosvg and zstandard from PyPI.  Use: python3 vendor.py [FOLDER WITH node_modules]
"""

import collections
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import zstandard
from picosvg.svg import SVG

HERE = pathlib.Path(__file__).resolve().parent

PACKAGES = {"lucide-static": "1.62.0", "@lucide/lab": "0.7.0", "@tabler/icons": "3.51.0", "@phosphor-icons/core": "2.1.1",
            "simple-icons": "16.37.0"}
# (index into a concept's names, path of the file, side of the file's box, side of our box), in the order of `IconSet`.
SETS = [
    (0, "lucide-static/icons/{}.svg", 24, 24),
    (1, "@tabler/icons/icons/outline/{}.svg", 24, 24),
    (2, "@phosphor-icons/core/assets/fill/{}-fill.svg", 256, 16),
    (2, "@phosphor-icons/core/assets/light/{}-light.svg", 256, 16),
    (2, "@phosphor-icons/core/assets/bold/{}-bold.svg", 256, 16),
]
# Brands, the same in every family. Unlike icons, their files fill the box, so AROUND units of it stay free around them.
MARKS = [(0, "simple-icons/icons/{}.svg", 24, 24)]
AROUND = 1.75
# Icons that Phosphor's fill family draws in a solid square or as a triangle: these use its bold family.
AS_BOLD = {"check", "x", "plus", "minus", "equals", "hash", "at", "infinity", "percent", "caret-right", "link"}
LANGUAGES = ("en", "de", "fr", "es")
UNITS = 64
VERSION = 1
# Names with this prefix are from Lucide Lab, which adds icons in Lucide's style.
LAB, LAB_FORM = "lab:", "@lucide/lab/icons/{}.svg"
VERBS = {"M": 0, "L": 1, "C": 2, "Z": 3}


def varint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def signed(n):
    return varint(2 * n if n >= 0 else -2 * n - 1)


def text(s):
    data = s.encode()
    return varint(len(data)) + data


def segments_of(shape, scale, around):
    """Returns the segments of a shape in integer units: M, L, C with their points, Z with none."""
    at = lambda args: [(math.floor(x * scale + around + 0.5), math.floor(y * scale + around + 0.5))
                       for x, y in zip(args[::2], args[1::2])]
    path = shape.as_path().absolute(inplace=False).explicit_lines().expand_shorthand().arcs_to_cubics()
    segments, here = [], (0, 0)
    for command, args in path.as_cmd_seq():
        points = at(args)
        if command == "Q":
            # The cubic of the same curve.
            c = points[0]
            third = lambda a: tuple(math.floor((p + 2 * q) / 3 + 0.5) for p, q in zip(a, c))
            command, points = "C", [third(here), third(points[1]), points[1]]
        if command not in VERBS:
            raise ValueError(command)
        if command == "Z":
            segments.append(("Z", []))
            continue
        if command != "M" and all(p == here for p in points):
            # A dot is a line of length 0, which would not be drawn.
            if segments[-1][0] != "M" or command != "L":
                continue
            points = [(here[0] + 1, here[1])]
        segments.append((command, points))
        here = points[-1]
    return segments


def drawing(path, side, box, around=0):
    """Returns (strokes, fills), lists of segments of subpaths. `around` units of the box stay free on each side."""
    svg = re.sub(r"<!--.*?-->|<title>.*?</title>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    stroked = 'stroke="currentColor"' in svg[:svg.index(">")]
    unread = [word for word in ("transform=", "fill-rule", "opacity", "<g", "<use") if word in svg]
    if unread or f'viewBox="0 0 {side} {side}"' not in svg:
        sys.exit(f"{path} has something that isn't read")
    # The code below applies the root's paint. picosvg would copy it to each shape.
    body = svg[svg.index(">", svg.index("<svg")) + 1:svg.rindex("</svg>")]
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">'
    shapes = SVG.fromstring(f"{root}{body}</svg>").shapes()
    tags = re.findall(r"<(?:path|circle|rect|line|polyline|polygon|ellipse)\b[^>]*>", body)
    assert len(tags) == len(shapes), path
    strokes, fills = [], []
    for tag, shape in zip(tags, shapes):
        if stroked and 'stroke="none"' in tag and 'fill="none"' in tag:
            continue
        segments = segments_of(shape, (box - 2 * around) * UNITS / side, around * UNITS)
        filled = 'fill="currentColor"' in tag if stroked else 'fill="none"' not in tag
        if filled:
            fills.append(segments)
        if stroked and 'stroke="none"' not in tag:
            strokes.append(segments)
    if not strokes and not fills:
        sys.exit(f"{path} draws nothing")
    return strokes, fills


def path_bytes(segments):
    """Encodes runs of one verb: a byte (verb in the low two bits, the count less one above), then point deltas."""
    out = bytearray()
    x = y = i = 0
    while i < len(segments):
        verb = segments[i][0]
        run = 1
        while i + run < len(segments) and segments[i + run][0] == verb and run < 64:
            run += 1
        out.append(VERBS[verb] | (run - 1) << 2)
        for _, points in segments[i:i + run]:
            for px, py in points:
                out += signed(px - x) + signed(py - y)
                x, y = px, py
        i += run
    return bytes(out)


def merged(paths):
    """Joins paths of one colour into one, so that fewer paths are drawn."""
    return [s for path in paths for s in path]


def check(concepts, languages):
    words = {}
    for name, concept in concepts.items():
        for language in languages:
            for tag in concept.get(language, "").split():
                if tag != tag.lower() or (language, tag.lstrip("~")) in words:
                    sys.exit(f"{language} {tag!r} of {name}: not in lower case, or also of "
                             f"{words.get((language, tag.lstrip('~')))}")
                words[language, tag.lstrip("~")] = name
    return len(words)


def write(name, concepts, languages, sets, modules, around=0):
    """Writes a table of concepts: their words in some languages, and their drawings in some sets."""
    words = check(concepts, languages)
    table = bytes([VERSION]) + varint(len(concepts)) + varint(len(languages)) + b"".join(map(text, languages))
    for concept, said in concepts.items():
        table += text(concept) + b"".join(text(said.get(language, "")) for language in languages)
    missing, counts = [], []
    drawings = bytearray()
    for which, form, side, box in sets:
        seen, count = collections.defaultdict(list), 0
        drawings += varint(box)
        for concept, said in concepts.items():
            icon = said["icons"][which]
            bold = "fill" in form and icon in AS_BOLD
            lab = icon.startswith(LAB)
            file = LAB_FORM if lab else form.replace("fill", "bold") if bold else form
            path = modules / file.format(icon.removeprefix(LAB))
            if not icon:
                drawings += varint(0) + varint(0)
            elif not path.exists():
                missing.append(f"{concept}: {path.name}")
            else:
                strokes, fills = (path_bytes(merged(p)) for p in drawing(path, side, box, around))
                seen[strokes, fills].append(concept)
                drawings += varint(len(strokes)) + varint(len(fills)) + strokes + fills
                count += 1
        counts.append(count)
        twins = [names for names in seen.values() if len(names) > 1]
        if twins:
            sys.exit(f"{form}: the same drawing for {twins}")
    if missing:
        sys.exit(f"not in the packages: {missing}")
    data = table + bytes(drawings)
    params = zstandard.ZstdCompressionParameters.from_level(22, source_size=len(data), write_checksum=True)
    packed = zstandard.ZstdCompressor(compression_params=params).compress(data)
    (HERE / name).write_bytes(packed)
    print(f"{name}: {len(concepts)} concepts, {words} words, drawings {counts}: {len(data)} -> {len(packed)} bytes")


def read(name):
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def main():
    with tempfile.TemporaryDirectory() as tmp:
        root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tmp)
        if len(sys.argv) == 1:
            wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
            subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", tmp, *wanted],
                           check=True)
        modules = root / "node_modules"
        write("icons.bin.zst", read("concepts.toml"), LANGUAGES, SETS, modules)
        marks = {f"mark-{file}": {"icons": [file], "any": words} for file, words in read("marks.toml").items()}
        write("marks.bin.zst", marks, ("any",), MARKS, modules, AROUND)


if __name__ == "__main__":
    main()
