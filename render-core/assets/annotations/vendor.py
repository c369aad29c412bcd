#!/usr/bin/env python3
"""Makes annotations.bin.zst of this folder: the words that name our concepts in 36 languages.

The words are the names and keywords of emoji in CLDR (an npm package, which npm installs by name and version from its
configured registry), for the emoji that have a concept in `../icons/concepts.toml`, and the words of `words.toml`.
README.md says which words are kept, and `src/icon/vocabulary/table.rs` documents the format of the file.

Needs: npm; zstandard from PyPI.  Use: python3 vendor.py [FOLDER WITH node_modules]
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unicodedata

import zstandard

HERE = pathlib.Path(__file__).resolve().parent

PACKAGES = {"cldr-annotations-full": "45.0.0"}
# Our languages, and CLDR's codes where they differ.
LANGUAGES = ("en de fr es pt it nl sv no da fi pl cs sk hu ro bg uk ru el tr vi id ms sw tl ar fa he hi bn ta th zh ja "
             "ko").split()
IN_CLDR = {"tl": "fil"}
# Languages with compound words or without spaces. Here words without a concept are kept too, so that part of a word is
# not mistaken for a word of its own.
JOINED = {"de", "nl", "sv", "no", "da", "fi", "hu", "zh", "ja", "th"}
UNSPACED = {"zh", "ja", "th"}
# The languages with words in concepts.toml.
WRITTEN = ("en", "de", "fr", "es")
VERSION = 2
# Maximum number of words in a name.
LONGEST = 4
# How similar the emoji of a word and an English word must be to make them translations: for MANY emoji, and for fewer.
ALIKE, ALIKE_OF_FEW, MANY = 0.3, 0.5, 8
NOTHING = 0


def folded(word, language):
    """Folds a word like `src/icon/vocabulary/forms.rs`: lower case, no vowel marks, one form of each letter."""
    word = unicodedata.normalize("NFC", word)
    if language == "tr":
        word = word.replace("I", "ı").replace("İ", "i")
    word = word.lower()
    if language == "ru":
        word = word.replace("ё", "е")
    word = word.replace("\u200f", "").replace("\u200e", "")
    if language in ("ar", "fa"):
        word = re.sub("[\u064b-\u0652\u0640\u200c]", "", word)
        word = re.sub("[أإآ]", "ا", word).replace("ى", "ي").replace("ي", "ی" if language == "fa" else "ي")
    if language == "he":
        word = re.sub("[\u0591-\u05c7]", "", word)
    if language in UNSPACED:
        word = unicodedata.normalize("NFKC", word)
        return re.sub(r"\s+", "", word) if language != "th" else word.strip()
    parts = re.split(r"[\s'’\-‐‑/:]+", re.sub(r"[\"“”„«»!?().,]", " ", word))
    return " ".join(p for p in parts if p)


def emoji_of(concepts):
    """Returns the concept of each emoji, and the emoji of which only the name counts."""
    concept_of, named_only = {}, set()
    for number, (name, concept) in enumerate(concepts.items(), 1):
        for tag in concept.get("emoji", "").split():
            emoji = tag.lstrip("~").replace("\ufe0f", "")
            if emoji in concept_of:
                sys.exit(f"{emoji} is of two concepts, one of them {name}")
            concept_of[emoji] = number
            if tag.startswith("~"):
                named_only.add(emoji)
    return concept_of, named_only


def annotations(modules, language):
    path = modules / "cldr-annotations-full/annotations" / IN_CLDR.get(language, language) / "annotations.json"
    return json.loads(path.read_text(encoding="utf-8"))["annotations"]["annotations"]


def spoken_of(modules, concept_of, nothing):
    """Returns the emoji with an ambiguous English keyword: their keywords in other languages are ambiguous too."""
    said = annotations(modules, "en").items()
    return {emoji for emoji, words in said if emoji in concept_of and nothing & set(words.get("default", ()))}


def keywords(modules, language):
    """Returns the emoji of each word, and those that it names. Skips gendered people, who have a neutral emoji."""
    of, named = collections.defaultdict(set), collections.defaultdict(set)
    for emoji, said in annotations(modules, language).items():
        emoji = emoji.replace("\ufe0f", "")
        if emoji.endswith(("\u200d♀", "\u200d♂")):
            continue
        name = folded(said.get("tts", [""])[0], language)
        named[name].add(emoji)
        for word in [name, *(folded(keyword, language) for keyword in said.get("default", ()))]:
            of[word].add(emoji)
    return of, named


def counterpart(emoji, english, words_at):
    """Returns the English words whose sets of emoji are most similar to this one, and the similarity."""
    shared = collections.Counter(word for one in emoji for word in words_at[one])
    alike = {word: n / len(emoji | english[word]) for word, n in shared.items() if n > 1}
    best = max(alike.values(), default=0)
    return [word for word, how in alike.items() if how == best], best


def called(modules, language, concept_of, vague, english):
    """Returns the concept number of each CLDR word: negative if its only source is one keyword of one emoji, NOTHING if
    the word is ambiguous. `english` has the emoji and the concepts of the English words."""
    of, named = keywords(modules, language)
    english_of, english_calls = english
    words_at = collections.defaultdict(list)
    for word, emoji in english_of.items():
        for one in emoji:
            words_at[one].append(word)
    out = {}
    for word, emoji in of.items():
        least = 1 if language in UNSPACED or language == "ko" else 3 if word.isascii() else 2
        if len(word) < least or len(word.split()) > LONGEST or any(c.isdigit() for c in word):
            continue
        names = {concept_of.get(one, NOTHING) for one in named[word]}
        concepts = {concept_of.get(one, NOTHING) for one in emoji}
        sure = {one for one in emoji if one in concept_of and one not in vague}
        out[word] = NOTHING
        if len(names) == 1 and names != {NOTHING}:
            out[word] = names.pop()
            continue
        most, count = collections.Counter(concept_of[one] for one in sure).most_common(1)[0] if sure else (NOTHING, 0)
        if count > 1 and 3 * count >= 2 * len(emoji):
            out[word] = most
        elif len(emoji) > 1 and english_of:
            alike, how = counterpart(emoji, english_of, words_at)
            calls = {english_calls[word] for word in alike if word in english_calls}
            if how >= (ALIKE if len(emoji) >= MANY else ALIKE_OF_FEW) and len(calls) == 1 and calls <= concepts:
                out[word] = calls.pop()
        elif len(emoji) == 1 and sure:
            out[word] = -most
    return out


def written(own, language):
    """Yields (concept, word, whether it has little weight) for the words of words.toml in a language."""
    for said in filter(str.strip, own.get(language, "").split(";")):
        name, _, words = said.partition(":")
        for tag in words.split():
            yield name.strip(), folded(tag.lstrip("~").replace("_", " "), language), tag.startswith("~")


def table(modules, concepts, own):
    """Returns the concept number of each word of each language, and the (language, word) of little weight."""
    numbers = {name: n for n, name in enumerate(concepts, 1)}
    concept_of, named_only = emoji_of(concepts)
    nothing = {word for name, word, _ in written(own, "en") if not name}
    vague = named_only | spoken_of(modules, concept_of, nothing)
    # The concepts of English words: from our own files, else from CLDR.
    english = {w: abs(of) for w, of in called(modules, "en", concept_of, named_only, ({}, {})).items() if of}
    english |= {word: NOTHING for word in nothing}
    for name, concept in concepts.items():
        english |= {tag.lstrip("~").replace("-", " "): numbers[name] for tag in concept.get("en", "").split()}
    english = keywords(modules, "en")[0], english
    out, light = {}, set()
    for language in LANGUAGES:
        words = called(modules, language, concept_of, named_only if language == "en" else vague, english)
        if language not in JOINED:
            words = {word: of for word, of in words.items() if of != NOTHING}
        for name, word, weak in written(own, language):
            words[word] = numbers[name] if name else NOTHING
            if weak:
                light.add((language, word))
        out[language] = words
    for number, concept in enumerate(concepts.values(), 1):
        for language in WRITTEN:
            for tag in concept.get(language, "").split():
                # The vocabulary reads these words from the icons table.
                out[language].pop(folded(tag.lstrip("~"), language), None)
    return out, light


def varint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def packed(concepts, tables, light):
    text = lambda s: varint(len(s.encode())) + s.encode()
    out = bytes([VERSION]) + varint(len(concepts)) + b"".join(map(text, concepts)) + varint(len(tables))
    for language, words in tables.items():
        # Words and numbers are in separate blocks, because zstd compresses similar data better.
        ordered = sorted(words, key=str.encode)
        block = "\n".join(ordered)
        numbers = b"".join(varint(4 * abs(words[word]) + 2 * ((language, word) in light) + (words[word] < 0))
                           for word in ordered)
        out += text(language) + varint(len(ordered)) + text(block) + varint(len(numbers)) + numbers
    return out


def main():
    with tempfile.TemporaryDirectory() as tmp:
        root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tmp)
        if len(sys.argv) == 1:
            wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
            subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", tmp, *wanted],
                           check=True)
        concepts = tomllib.loads((HERE.parent / "icons/concepts.toml").read_text(encoding="utf-8"))
        own = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))
        tables, light = table(root / "node_modules", concepts, own)
    data = packed(concepts, tables, light)
    params = zstandard.ZstdCompressionParameters.from_level(22, source_size=len(data), write_checksum=True)
    small = zstandard.ZstdCompressor(compression_params=params).compress(data)
    (HERE / "annotations.bin.zst").write_bytes(small)
    calling = sum(of != NOTHING for words in tables.values() for of in words.values())
    print(f"{sum(map(len, tables.values()))} words, {calling} of them call for an icon: {len(data)} -> {len(small)} bytes")


if __name__ == "__main__":
    main()
