#!/usr/bin/env python3
"""Makes the faces of this folder, in every container: a few letters of each script that no vendored face has.

Needs: npm; fonttools and brotli as in render-core/assets/fonts/requirements.txt.  Use: python3 make.py
"""

import pathlib
import subprocess
import tempfile

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.qu2cuPen import Qu2CuPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).resolve().parent
CHEROKEE = "@expo-google-fonts/noto-sans-cherokee", "0.4.2"
TIFINAGH = "@expo-google-fonts/noto-sans-tifinagh", "0.4.1"
VARIABLE = "@fontsource-variable/noto-sans-cherokee", "5.3.0"


def unpacked(package: tuple[str, str], folder: pathlib.Path) -> pathlib.Path:
    name, version = package
    here = folder / name.replace("/", "-")
    here.mkdir()
    packed = subprocess.run(
        ["npm", "pack", "--silent", f"{name}@{version}"], cwd=here, check=True, capture_output=True, text=True
    )
    subprocess.run(["tar", "xzf", packed.stdout.split()[-1]], cwd=here, check=True)
    return here / "package"


def cut(source: pathlib.Path, characters: range) -> TTFont:
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(hinting=False, layout_features=["kern", "liga", "ccmp", "mark", "mkmk"], name_IDs=["*"])
    options.notdef_outline = True
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*characters, 0x20])
    subsetter.subset(font)
    return font


def as_cff(font: TTFont) -> TTFont:
    """Returns the same glyphs with cubic outlines, as in an OpenType face."""
    order, glyphs, advances = font.getGlyphOrder(), font.getGlyphSet(), font["hmtx"].metrics
    drawn = {}
    for name in order:
        pen = T2CharStringPen(advances[name][0], glyphs)
        glyphs[name].draw(Qu2CuPen(pen, max_err=0.5, all_cubic=True))
        drawn[name] = pen.getCharString()
    made = FontBuilder(font["head"].unitsPerEm, isTTF=False)
    made.setupGlyphOrder(order)
    made.setupCharacterMap(font.getBestCmap())
    ids = {"familyName": 1, "styleName": 2, "copyright": 0, "licenseDescription": 13}
    names = {key: font["name"].getDebugName(i) for key, i in ids.items()}
    made.setupCFF(f"{names['familyName'].replace(' ', '')}-Regular", {}, drawn, {})
    made.setupHorizontalMetrics(advances)
    made.setupHorizontalHeader(ascent=font["hhea"].ascent, descent=font["hhea"].descent)
    made.setupNameTable({k: v for k, v in names.items() if v})
    made.setupOS2(usWeightClass=400, fsType=0, sTypoAscender=font["hhea"].ascent, sTypoDescender=font["hhea"].descent)
    made.setupPost()
    made.font["head"].created = made.font["head"].modified = font["head"].modified
    made.font.recalcTimestamp = False
    return made.font


def save(font: TTFont, name: str, flavour: str | None = None) -> None:
    font.flavor = flavour
    font.save(HERE / name)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cherokee, tifinagh, variable = (unpacked(p, pathlib.Path(folder)) for p in (CHEROKEE, TIFINAGH, VARIABLE))
        regular = cherokee / "400Regular/NotoSansCherokee_400Regular.ttf"
        save(cut(regular, range(0x13A0, 0x13F6)), "noto-sans-cherokee-400.ttf")
        bold = cherokee / "700Bold/NotoSansCherokee_700Bold.ttf"
        save(cut(bold, range(0x13A0, 0x13F6)), "noto-sans-cherokee-700.woff2", "woff2")
        quadratic = cut(tifinagh / "400Regular/NotoSansTifinagh_400Regular.ttf", range(0x2D30, 0x2D68))
        save(as_cff(quadratic), "noto-sans-tifinagh-400.otf")
        weights = variable / "files/noto-sans-cherokee-cherokee-wght-normal.woff2"
        save(cut(weights, range(0x13A0, 0x13B0)), "noto-sans-cherokee-variable.ttf")
        save(cut(regular, range(0x13A0, 0x13B0)), "noto-sans-cherokee-400.woff", "woff")
        # Both have the same licence but different owners.
        owners = [(package / "LICENSE_FONT").read_text(encoding="utf-8").partition("\n") for package in (cherokee, tifinagh)]
        (HERE / "licence.txt").write_text("".join(f"{o[0]}\n" for o in owners) + owners[0][2], encoding="utf-8")


if __name__ == "__main__":
    main()
