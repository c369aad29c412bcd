#!/usr/bin/env python3
"""Makes some pages of this folder from `from/`: those that aren't UTF-8, the longest one and the deepest one.

Use: python3 make_pages.py
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "from"))

# Python's names of the encodings; browsers call cp932 Shift_JIS.
BYTES = {"vieux-site": "cp1252", "sjis": "cp932", "gb": "gb18030", "koi8": "koi8-r"}


def deep():
    """Returns a page whose words are nested in 30,000 elements: a recursive traversal overflows the stack."""
    words = "<p>The lighthouse keeps its own hours. Its keeper winds the clock every 30 hours and counts 412 ships a " \
        "year, and none of them has ever waved back. The clock was a gift of the parish, and the parish regrets it.</p>"
    return f"<!DOCTYPE html>\n<title>The lighthouse keeps its own hours</title>\n{'<div>' * 30_000}{words}\n"


def main():
    import long
    for name, encoding in BYTES.items():
        text = (HERE / "from" / f"{name}.html").read_text(encoding="utf-8")
        (HERE / f"{name}.html").write_bytes(text.encode(encoding))
    (HERE / "deep.html").write_text(deep(), encoding="utf-8")
    (HERE / "long.html").write_text(long.page(), encoding="utf-8")


if __name__ == "__main__":
    main()
