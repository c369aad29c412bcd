#!/usr/bin/env python3
"""Compares the vendored faces with their source faces, using HarfBuzz.

The script shapes each text of tests/data/pangrams.tsv, and each text below, with the source face and with the vendored
face. Every glyph must have the same outline, advance and offset, and none may be .notdef. For each character, some
family must have it in all its weights.

Needs what vendor.py needs.  Use: python3 check.py [family ...]
"""

import dataclasses
import io
import pathlib
import sys
import tempfile

import uharfbuzz as hb
import zstandard
from fontTools.ttLib import TTFont

from vendor import FAMILIES, HERE, Family, install

PANGRAMS = HERE.parents[2] / "tests" / "data" / "pangrams.tsv"

# Texts that the pangrams lack: conjuncts, stacked marks, ligatures, vertical forms, half and full width.
EXTRA = [
    ("ar", "الله لا إله ﷺ مُحَمَّدٌ ١٢٣٬٤٥٦٫٧ ٪"), ("fa", "۱۲۳٬۴۵۶٫۷ کتابخانه‌هایی"), ("ur", "۱۲۳۴۵۶۷۸۹۰ مؤنث"),
    ("he", "בְּרֵאשִׁית ₪ ״צה״ל״"), ("hi", "क्ष त्र ज्ञ श्री र्क र्‍य द्ध्व ट्ठ ह्म कि र्कि ॐ ₹१२३"),
    ("bn", "ক্ষ্ম ত্রৈ র্ক ন্ত্র স্ত্রী ৳১২৩"), ("ta", "ஸ்ரீ க்ஷ கொ கௌ ௧௨௩"), ("te", "క్ష్మి స్త్రీ జ్ఞా ర్క ౧౨౩"),
    ("th", "น้ำ ปั่น กตัญญู ฐานุ ญี่ปุ่น ๑๒๓ ฿"), ("ka", "ⴀⴁⴂ Ⴀ₾"), ("hy", "և ﬓ ﬔ ֏"), ("am", "፩፪፫ ፼ ሿ"),
    ("ja",
     "（「日本」）、。ー〜…—・，ぁァッ㈱①㌔㍻ ABC １２３ ｱｲｳ ﾞ 髙﨑𠮟塡剝頰"), ("zh-Hans", "《国》，。“”‘’—…：；！？（）【】 囧啰镕"),
    ("zh-Hant", "《國》，。「」『』—…：；！？（）ㄅㄆㄇˇˋ˙ 裏着嘅喺"), ("und", "⌘⌥⏎ ⓐⒷ ☎☀★ ✓✗✦ ⠓⠊ ⬢⬡ 🅰 🞄 🡒"), ("und", "│├└═║╬█▓░ ⎺"), ("und", "𝔄𝕏𝖇 ⟨x⟩ ⨯ ⩽"),
    ("ko", "똠방각하 펲시 뷁 ㄱㄴㅏ ㈜ ※ 「」 각 한글"),
]
VERTICAL = {"ja", "zh-Hans", "zh-Hant", "yue", "ko"}


@dataclasses.dataclass
class Glyph:
    """A shaped glyph: outline with the leftmost point at 0, original x of that point, advance and offset, cluster."""

    outline: list[tuple]
    left: float
    position: tuple
    cluster: int

    def same(self, other: "Glyph") -> bool:
        # If a side bearing is one unit off the outline, HarfBuzz shifts the glyph; fontTools corrects the bearing.
        return (self.outline == other.outline and abs(self.left - other.left) <= 1
                and self.position == other.position and self.cluster == other.cluster)


class Recorder:
    """A HarfBuzz drawing target that records the drawing."""

    def __init__(self) -> None:
        self.parts: list[tuple] = []
        self.funcs = hb.DrawFuncs()
        self.funcs.set_move_to_func(lambda x, y, _: self.parts.append(("M", x, y)))
        self.funcs.set_line_to_func(lambda x, y, _: self.parts.append(("L", x, y)))
        self.funcs.set_quadratic_to_func(lambda *a: self.parts.append(("Q", *a[:4])))
        self.funcs.set_cubic_to_func(lambda *a: self.parts.append(("C", *a[:6])))
        self.funcs.set_close_path_func(lambda _: self.parts.append(("Z",)))

    def outline(self, font: hb.Font, glyph: int) -> tuple[list[tuple], float]:
        self.parts.clear()
        font.draw_glyph(glyph, self.funcs)
        left = min((x for op, *points in self.parts for x in points[::2]), default=0.0)
        return [(op, *(v - left * (i % 2 == 0) for i, v in enumerate(points))) for op, *points in self.parts], left


def shape(font: hb.Font, text: str, language: str, vertical: bool, features: dict[str, bool]) -> list[Glyph]:
    """Returns the glyphs of a text, or none if one is .notdef."""
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.language = language
    if vertical:
        buffer.direction = "ttb"
    hb.shape(font, buffer, features)
    if any(info.codepoint == 0 for info in buffer.glyph_infos):
        return []
    recorder = Recorder()
    return [Glyph(*recorder.outline(font, i.codepoint), p.position, i.cluster)
            for i, p in zip(buffer.glyph_infos, buffer.glyph_positions)]


def font_of(data: bytes) -> hb.Font:
    return hb.Font(hb.Face(data))


def texts() -> list[tuple[str, str]]:
    lines = PANGRAMS.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(tag, text) for tag, _, text in rows] + EXTRA


def words(text: str, cmap: set[int]) -> list[str]:
    """Returns the words of a text for which a face has all characters."""
    return [w for w in text.split() if all(ord(c) in cmap for c in w)]


def compare(family: Family, modules: pathlib.Path) -> tuple[int, list[str], set[int]]:
    """Returns the number of compared words, the differences, and the characters that every weight of the family has."""
    compared, wrong, common = 0, [], None
    for weight in family.faces:
        source = TTFont(family.source(modules, weight))
        source.flavor = None
        whole = io.BytesIO()
        source.save(whole)
        packed = (HERE / f"{family.name}-{weight}.ttf.zst").read_bytes()
        small = zstandard.decompress(packed)
        cmap = set(TTFont(io.BytesIO(small)).getBestCmap())
        common = cmap if common is None else common & cmap
        before, after = font_of(whole.getvalue()), font_of(small)
        # Features that the vendored face lacks are disabled in the source too.
        off = {tag: False for table in ("GSUB", "GPOS") if table in source
               for tag in {r.FeatureTag for r in source[table].table.FeatureList.FeatureRecord} - set(family.features)}
        for language, text in texts():
            for word in words(text, cmap):
                for vertical in {False, language in VERTICAL}:
                    compared += 1
                    a, b = (shape(f, word, language, vertical, off) for f in (before, after))
                    if len(a) != len(b) or not b or not all(x.same(y) for x, y in zip(a, b)):
                        wrong.append(f"{family.name}-{weight}: {language}{' vertical' if vertical else ''}: {word}")
    return compared, wrong, common or set()


def main() -> None:
    wanted = [f for f in FAMILIES if not sys.argv[1:] or f.name in sys.argv[1:]]
    covered: set[int] = set()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as tmp:
        modules = install(wanted, tmp)
        for family in wanted:
            compared, differs, cmap = compare(family, modules)
            wrong += differs
            covered |= cmap
            print(f"{family.name}: {compared} pieces compared, {len(differs)} differ", flush=True)
            if not compared:
                wrong.append(f"{family.name}: no text uses it")
    if not sys.argv[1:]:
        for language, text in texts():
            missing = sorted({c for c in text if not c.isspace() and ord(c) not in covered})
            if missing:
                wrong.append(f"{language}: no face has {' '.join(f'U+{ord(c):04X}' for c in missing)}")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
