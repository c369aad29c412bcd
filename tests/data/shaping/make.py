#!/usr/bin/env python3
"""Writes harfbuzz.tsv.zst and vertical.tsv.zst: HarfBuzz's shaping of words and phrases in every script.

Needs uharfbuzz 0.57.0 and zstandard 0.25.0. Texts come from ../pangrams.tsv: each word, each pair of words and each
sentence for which a face has all characters, as one run of one script. A row is: face, script, direction, language,
text, glyphs as id@x,y (origin in font units from the run's left end, y up) from left to right, advance.

vertical.tsv.zst has East Asian phrases with their punctuation, shaped from the top down. A row is: face, language, text,
glyphs as id@x,y (origin in font units from the run's top on the column's axis, y down), advance.
"""

import pathlib
import re
import unicodedata

import uharfbuzz as hb
import zstandard

HERE = pathlib.Path(__file__).parent
FONTS = HERE.parents[2] / "render-core/assets/fonts"

FACES = {
    "Latn": ["manrope-700", "instrument-serif-400", "inter-tight-500", "space-grotesk-600", "geist-400",
             "archivo-extra-condensed-900", "newsreader-300", "bricolage-display-800"],
    "Grek": ["manrope-600", "noto-serif-400"],
    "Cyrl": ["inter-tight-600", "noto-sans-400", "geist-mono-400", "literata-600", "unbounded-800",
             "cormorant-italic-300"],
    "Arab": ["readex-pro-400", "vazirmatn-600", "noto-naskh-arabic-400"],
    "Hebr": ["noto-sans-hebrew-400", "noto-serif-hebrew-600"],
    "Deva": ["noto-sans-devanagari-700", "noto-serif-devanagari-400"],
    "Beng": ["noto-sans-bengali-400", "noto-serif-bengali-400"],
    "Taml": ["noto-sans-tamil-600", "noto-serif-tamil-400"],
    "Telu": ["noto-sans-telugu-400", "noto-serif-telugu-400"],
    "Thai": ["noto-sans-thai-700", "noto-serif-thai-400"],
    "Geor": ["noto-sans-georgian-400", "noto-serif-georgian-400"],
    "Armn": ["noto-sans-armenian-600", "noto-serif-armenian-400"],
    "Ethi": ["noto-sans-ethiopic-400"],
    "Hans": ["noto-sans-sc-400"],
    "Hant": ["noto-sans-tc-400"],
    "Jpan": ["noto-sans-jp-700", "shippori-mincho-500"],
    "Kore": ["noto-sans-kr-400"],
}
# The script code for HarfBuzz; kana are shaped together with Han characters.
SHAPED_AS = {"Hans": "Hani", "Hant": "Hani", "Jpan": "Hani", "Kore": "Hang"}
RTL = {"Arab", "Hebr"}
VERTICAL_FACES = {
    "Jpan": ["shippori-mincho-500", "shippori-mincho-700", "noto-sans-jp-400", "noto-sans-jp-700"],
    "Hans": ["noto-sans-sc-400"],
    "Hant": ["noto-sans-tc-700"],
    "Kore": ["noto-sans-kr-400"],
}
# Brackets, small kana, marks and signs that have vertical forms.
VERTICAL_TEXTS = [
    "「『（【〈《〔［｛｝］〕》〉】）』」", "、。，．：；・！？", "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ", "ー〜", "がぎぐげごパピプペポ",
    "０１２３ＡＢＣａｂｃ", "一〇二〇三十年", "※★○●◎△▲□■", "①②③㎏㌔㍍", "ラーメン、カレー。", "「ちょっと」まって！", "キャッチ・コピー",
]
# Maximum number of rows of a language in one face.
MOST = 24
MOST_LATIN = 6


def pieces(text, script):
    """Returns the words, pairs of words and longer phrases in the letters of one script."""
    own = {"Hans": "CJK", "Hant": "CJK", "Jpan": "CJK|HIRAGANA|KATAKANA", "Kore": "HANGUL", "Grek": "GREEK"}
    names = {
        "Latn": "LATIN", "Cyrl": "CYRILLIC", "Arab": "ARABIC", "Hebr": "HEBREW", "Deva": "DEVANAGARI",
        "Beng": "BENGALI", "Taml": "TAMIL", "Telu": "TELUGU", "Thai": "THAI", "Geor": "GEORGIAN",
        "Armn": "ARMENIAN", "Ethi": "ETHIOPIC",
    }
    names.update(own)

    def belongs(c):
        return c == " " or c in "\u200c\u200d" or re.match(names[script], unicodedata.name(c, "")) \
            or unicodedata.combining(c)

    runs = ["".join(g) for g in re.findall(r".+?(?:\x00|$)", "".join(c if belongs(c) else "\x00" for c in text))]
    runs = [r.strip("\x00 ") for r in runs]
    found = []
    for run in filter(None, runs):
        words = run.split(" ")
        found += words + [" ".join(p) for p in zip(words, words[1:])] + [run]
        if len(words) == 1:
            found += [run[i : i + 4] for i in range(0, len(run), 4)]
    return [p for p in dict.fromkeys(found) if p]


def load(stem, fonts):
    if stem not in fonts:
        data = zstandard.ZstdDecompressor().decompressobj().decompress((FONTS / f"{stem}.ttf.zst").read_bytes())
        face = hb.Face(data)
        fonts[stem] = (hb.Font(face), set(face.unicodes))
    return fonts[stem]


def upright(text):
    """Returns phrases of characters that are upright in a column, with the commas and brackets between them."""
    found = []
    for run in re.split(r"[^\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]+", text):
        found += [run] + [run[i : i + 7] for i in range(0, len(run), 7)]
    return [p for p in dict.fromkeys(found) if p]


def vertical():
    rows, fonts = [], {}
    for line in (HERE.parent / "pangrams.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or line.count("\t") != 2:
            continue
        language, script, text = line.split("\t")
        for stem in VERTICAL_FACES.get(script, []):
            font, has = load(stem, fonts)
            for piece in upright(text) + (VERTICAL_TEXTS if script == "Jpan" else []):
                # Characters that the face lacks come from another face.
                piece = "".join(c for c in piece if ord(c) in has)
                if not piece:
                    continue
                buffer = hb.Buffer()
                buffer.add_str(piece)
                buffer.direction = "ttb"
                buffer.script = SHAPED_AS[script]
                buffer.language = language
                hb.shape(font, buffer)
                pen, glyphs = 0, []
                for info, pos in zip(buffer.glyph_infos, buffer.glyph_positions):
                    glyphs.append(f"{info.codepoint}@{pos.x_offset},{-(pen + pos.y_offset)}")
                    pen += pos.y_advance
                rows.append([stem, language, piece, " ".join(glyphs), str(-pen)])
    write(rows, "vertical.tsv.zst")


def write(rows, name):
    text = "".join("\t".join(r) + "\n" for r in rows)
    (HERE / name).write_bytes(zstandard.ZstdCompressor(level=19).compress(text.encode()))
    print(len(rows), "rows in", name)


def main():
    rows, fonts = [], {}
    for line in (HERE.parent / "pangrams.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or line.count("\t") != 2:
            continue
        language, script, text = line.split("\t")
        for stem in FACES.get(script, []):
            font, has = load(stem, fonts)
            count = 0
            for piece in pieces(text, script):
                if count == (MOST_LATIN if script == "Latn" else MOST) or not all(ord(c) in has or c in "\u200c\u200d" for c in piece):
                    continue
                buffer = hb.Buffer()
                buffer.add_str(piece)
                buffer.direction = "rtl" if script in RTL else "ltr"
                buffer.script = SHAPED_AS.get(script, script)
                buffer.language = language
                buffer.flags = hb.BufferFlags.DO_NOT_INSERT_DOTTED_CIRCLE
                hb.shape(font, buffer)
                pen, glyphs = 0, []
                for info, pos in zip(buffer.glyph_infos, buffer.glyph_positions):
                    glyphs.append(f"{info.codepoint}@{pen + pos.x_offset},{pos.y_offset}")
                    pen += pos.x_advance
                rows.append([stem, SHAPED_AS.get(script, script), buffer.direction, language, piece,
                             " ".join(glyphs), str(pen)])
                count += 1
    write(rows, "harfbuzz.tsv.zst")
    vertical()


if __name__ == "__main__":
    main()
