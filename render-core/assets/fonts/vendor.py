#!/usr/bin/env python3
"""Makes the vendored faces of this folder: one zstd-compressed static TTF per family and weight.

Takes static TTFs from npm packages (installed by name and version through npm, whatever registry it is set to),
drops hinting and everything outside Latin, Greek, Cyrillic, punctuation and symbols, and compresses.

A family whose licence reserves its name may not be subset under that name, so the script refuses one.

Needs: npm; fonttools and zstandard from PyPI.  Use: python3 vendor.py
"""

import io
import pathlib
import re
import subprocess
import sys
import tempfile

import zstandard
from fontTools import subset
from fontTools.otlLib.builder import AlternateSubstBuilder
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).resolve().parent

# npm package below @expo-google-fonts, version, weights.
FAMILIES = [
    ("manrope", "0.4.2", [500, 600, 700, 800]),
    ("hanken-grotesk", "0.4.3", [500, 600, 700]),
    ("instrument-serif", "0.4.1", [400]),
    ("inter-tight", "0.4.2", [400, 500, 600, 700]),
    ("instrument-sans", "0.4.2", [400, 500, 600]),
    ("space-grotesk", "0.4.1", [500, 600, 700]),
    ("geist", "0.4.2", [400, 500, 600]),
    ("geist-mono", "0.4.3", [400, 500]),
    ("noto-sans", "0.4.2", [400, 600, 700]),
    ("noto-serif", "0.4.2", [400, 600]),
]

# Latin up to Extended-B and IPA, modifiers, combining marks, Greek, Cyrillic, Latin Extended Additional (Vietnamese),
# punctuation, super- and subscripts, currency, letterlike, number forms, arrows, maths, technical, enclosed, shapes,
# symbols, dingbats, ligatures, replacement character.
RANGES = [
    (0x0020, 0x007E), (0x00A0, 0x02FF), (0x0300, 0x036F), (0x0370, 0x03FF), (0x0400, 0x052F), (0x1E00, 0x1EFF),
    (0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20CF), (0x2100, 0x214F), (0x2150, 0x218F), (0x2190, 0x21FF),
    (0x2200, 0x22FF), (0x2300, 0x23FF), (0x2460, 0x24FF), (0x25A0, 0x25FF), (0x2600, 0x26FF), (0x2700, 0x27BF),
    (0xFB00, 0xFB06), (0xFFFD, 0xFFFD),
]

FEATURES = (
    "kern liga clig calt rlig ccmp locl mark mkmk tnum pnum lnum onum case frac numr dnom sups sinf subs ordn zero"
).split() + [f"ss{n:02}" for n in range(1, 21)]


def licence_of(package: pathlib.Path) -> str:
    text = (package / "LICENSE_FONT").read_text(encoding="utf-8")
    header = text.split("PREAMBLE")[0]
    if re.search("reserved font name", header, re.I):
        sys.exit(f"{package.name}: the licence reserves the name, the face may not be subset")
    return text


def name_all_glyphs(font: TTFont) -> None:
    """Adds a GSUB lookup that no feature uses and whose alternates are all glyphs.

    fontdue loads what cmap and GSUB lookups name, but misses the last glyph of a range in single substitutions and all
    components that shaping reaches otherwise; such glyphs would come out empty. Alternates it reads in full.
    """
    builder = AlternateSubstBuilder(font, None)
    builder.alternates = {".notdef": font.getGlyphOrder()[1:]}
    lookups = font["GSUB"].table.LookupList
    lookups.Lookup.append(builder.build())
    lookups.LookupCount = len(lookups.Lookup)


def shrink(source: pathlib.Path) -> bytes:
    options = subset.Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.legacy_kern = False
    options.glyph_names = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    options.drop_tables += ["DSIG", "STAT", "gasp", "meta"]
    font = TTFont(source, recalcTimestamp=False)
    if any("reserved font name" in str(r).lower() for r in font["name"].names if r.nameID in (0, 13)):
        sys.exit(f"{source.name}: the face reserves its name")
    worker = subset.Subsetter(options)
    worker.populate(unicodes=[c for a, b in RANGES for c in range(a, b + 1)])
    worker.subset(font)
    name_all_glyphs(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def main() -> None:
    for old in [*HERE.glob("*.ttf.zst"), *HERE.glob("licences/*.txt")]:
        old.unlink()
    (HERE / "licences").mkdir(exist_ok=True)
    compressor = zstandard.ZstdCompressor(level=22, write_checksum=True)
    total = 0
    with tempfile.TemporaryDirectory() as tmp:
        packages = [f"@expo-google-fonts/{name}@{version}" for name, version, _ in FAMILIES]
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", tmp, *packages],
                       check=True)
        for name, _, weights in FAMILIES:
            package = pathlib.Path(tmp, "node_modules", "@expo-google-fonts", name)
            (HERE / "licences" / f"{name}.txt").write_text(licence_of(package), encoding="utf-8")
            for weight in weights:
                [source] = [f for f in package.glob(f"{weight}*/*.ttf") if "Italic" not in f.name]
                data = shrink(source)
                packed = compressor.compress(data)
                (HERE / f"{name}-{weight}.ttf.zst").write_bytes(packed)
                total += len(packed)
                print(f"{name}-{weight}: {source.stat().st_size} -> {len(data)} -> {len(packed)}")
    print(f"total {total}")


if __name__ == "__main__":
    main()
