"""Writes words.txt: English words that could be mistaken for a misspelling of a word in the prompt reader's English
list, except inflected forms of that word. Run it again when the list changes: vendor.py DICTIONARY
(american-english-small of Debian's wamerican-small).

Needs rapidfuzz.
"""

import re
import sys
import unicodedata
from pathlib import Path

from rapidfuzz.distance import OSA

here = Path(__file__).parent
lists = here / "../../src/edit/read/words"


def fold(text):
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


known = set()
for name in ["en.txt", "colours.txt"]:
    for line in (lists / name).read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        # "key = phrase; phrase" in the list of words, "name; name #code" in the list of colours.
        said = line.split("=", 1)[1] if name == "en.txt" else re.sub(r"#[0-9a-f]+.*", "", line).replace("=", ";")
        known.update(word for phrase in said.split(";") if re.fullmatch(r"[a-z]+", word := fold(phrase).strip()))
single = sorted(word for word in known if len(word) >= 4)
by_letter = {}
for word in single:
    by_letter.setdefault(word[0], []).append(word)


def inflected(word):
    """Returns whether a word is an inflected form of a listed word: reading it as that word is correct."""
    stems = [word.removesuffix(end) for end in ("s", "es", "d", "ed", "ing", "er", "r", "ly", "est") if word.endswith(end)]
    return any(form in known for stem in stems for form in (stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem))


out = set()
for line in Path(sys.argv[1]).read_text().splitlines():
    if not re.fullmatch(r"[a-z]{4,24}", line) or line in known or inflected(line):
        continue
    most = 1 if len(line) <= 6 else 2
    near = (word for letter in set(line[:2]) for word in by_letter.get(letter, []))
    if any(abs(len(word) - len(line)) <= most and OSA.distance(word, line, score_cutoff=most) <= most for word in near):
        out.add(line)
(here / "words.txt").write_text("\n".join(sorted(out)) + "\n")
print(len(out), "words")
