#!/usr/bin/env python3
"""Checks the expectations of this folder against the sources: each phrase that is expected or must be left out occurs
in its source, figures are spelled as in the source, and no file is too large.

Needs lxml 6.1.3 and pypdf 7.1.0 from PyPI, and Debian's poppler-utils.  Use: python3 check.py
"""

import datetime
import pathlib
import re
import subprocess
import sys
import tomllib
import unicodedata

import lxml.html
import pypdf

HERE = pathlib.Path(__file__).resolve().parent
KEYS = set(
    "language kind title points stats quotes steps items timeline compare definition questions pros cons myths call tables order absent "
    "author site date image url content_type charset pages error may_read".split()
)
# Python's names of encodings that browsers call by another name.
ENCODINGS = {"shift_jis": "cp932"}
LARGEST, ALL = 300_000, 4_000_000
# Maximum number of pages of a PDF that the service reads.
PAGES = 200


def fold(text, pdf):
    """Normalises text for comparison: no white space, straight quotation marks, and no hyphens if it is from a PDF."""
    text = unicodedata.normalize("NFKC", text) if pdf else text
    text = re.sub("[“”„«»]", '"', re.sub("[‘’‚]", "'", text))
    return re.sub(r"[\s\u00ad\u200b-\u200f\u2060]+", "", re.sub("[-\u2010]", "", text) if pdf else text)


def text_of(path, expected):
    if path.suffix == ".pdf":
        pdf = pypdf.PdfReader(path)
        pages = [page.extract_text() for page in pdf.pages]
        # Each reads what the other can't: one supports faces that aren't embedded, the other words in /ActualText.
        poppler = subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, text=True).stdout
        return "\n".join([str(pdf.metadata or ""), *pages, poppler])
    charset = expected.get("charset", "utf-8")
    text = path.read_bytes().decode(ENCODINGS.get(charset, charset))
    if path.suffix == ".html":
        tree = lxml.html.document_fromstring(text.encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
        # Attributes and scripts count as text: titles, authors and dates may occur only there.
        return "\n".join([tree.text_content(), text])
    if path.suffix == ".md":
        return re.sub(r"[*_`]|^#+ |^> ?|\\$", "", text, flags=re.M) + text
    return text


def phrases(expected):
    """Yields all phrases that must be in the source, each with its key."""
    titles = expected.get("title", [])
    # One of the acceptable titles suffices.
    yield "title", [titles] if isinstance(titles, str) else titles
    for key in ["points", "steps", "items", "timeline", "compare", "questions", "pros", "cons", "myths", "order", "absent"]:
        yield from ((key, [p]) for p in expected.get(key, []))
    for key in ["call", "definition"]:
        yield from ((key, [expected[key]]) for _ in range(key in expected))
    for stat in expected.get("stats", []):
        yield from (("stats", [stat[k]]) for k in ("value", "unit", "label_contains") if stat.get(k))
    for quote in expected.get("quotes", []):
        yield from (("quotes", [quote[k]]) for k in ("text_starts", "who") if k in quote)
    for table in expected.get("tables", []):
        yield from (("tables", [cell]) for cell in table["header"] + table["row"] if cell)
    for key in ["author", "site", "image"]:
        yield from ((key, [part]) for part in expected.get(key, "").split(", ") if part)


def faults(path):
    expected = tomllib.loads(path.with_suffix("").with_suffix(".expect.toml").read_text(encoding="utf-8"))
    yield from (f"unknown key {k}" for k in expected.keys() - KEYS)
    if path.stat().st_size > LARGEST:
        yield f"{path.stat().st_size} bytes"
    if "error" in expected and path.suffix == ".pdf":
        return
    pdf = path.suffix == ".pdf"
    text = fold(text_of(path, expected), pdf)
    for key, either in phrases(expected):
        if either and not any(fold(p, pdf) in text for p in either):
            yield f"{key}: {either[0]!r} is not in the source"
    for key in [] if pdf else ["order", "steps", "items", "timeline", "questions", "pros", "cons", "myths"]:
        at = 0
        for phrase in expected.get(key, []):
            found = text.find(fold(phrase, pdf), at)
            if found < 0:
                yield f"{key}: {phrase!r} comes too early"
            at = max(at, found)
    for stat in expected.get("stats", []):
        if "number" not in stat:
            yield f"stats: {stat['value']} has no number"
    if "date" in expected:
        datetime.date.fromisoformat(expected["date"])
    if "pages" in expected and min(len(pypdf.PdfReader(path).pages), PAGES) != expected["pages"]:
        yield "another number of pages"
    if "error" not in expected and not (expected.get("language") and expected.get("title") and expected.get("points")):
        yield "no language, title or points"


def main():
    sources = sorted(p for d in ("text", "html", "pdf") for p in (HERE / d).glob("*.*") if p.suffix not in (".toml", ".py"))
    bad = [f"{p.relative_to(HERE)}: {fault}" for p in sources for fault in faults(p)]
    expectations = sorted(p for d in ("text", "html", "pdf") for p in (HERE / d).glob("*.expect.toml"))
    if len(expectations) != len(sources):
        bad.append(f"{len(sources)} sources, {len(expectations)} expectations")
    size = sum(p.stat().st_size for p in HERE.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    if size > ALL:
        bad.append(f"{size} bytes in all")
    print("\n".join(bad) or f"{len(sources)} sources are as expected, {size:,} bytes in all")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
