#!/usr/bin/env python3
"""Makes the pages of this folder that can't be edited as UTF-8, and the longest one, from `from/`.

Use: python3 make_pages.py
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "from"))

# The encodings by Python's names; cp932 is what browsers mean by Shift_JIS.
BYTES = {"vieux-site": "cp1252", "sjis": "cp932", "gb": "gb18030", "koi8": "koi8-r"}


def main():
    import long
    for name, encoding in BYTES.items():
        text = (HERE / "from" / f"{name}.html").read_text(encoding="utf-8")
        (HERE / f"{name}.html").write_bytes(text.encode(encoding))
    (HERE / "long.html").write_text(long.page(), encoding="utf-8")


if __name__ == "__main__":
    main()
