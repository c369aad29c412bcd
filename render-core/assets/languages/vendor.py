#!/usr/bin/env python3
"""Makes model.bin.zst, the n-gram model of the language detector: py3langid's model, reduced to 36 languages.

`src/content/detect/model.rs` reads the file. The decompressed data, with all integers little-endian:

    8 bytes   'LID36', two zero bytes, the version (1)
    4 bytes   n, the number of n-grams
    72 bytes  the codes of the 36 languages, two letters each
    n keys    the length (one byte: 2 to 6) and the bytes, sorted by the bytes
    n rows    18 bytes: 36 values of four bits, the low half of a byte first. A value is how much less likely the n-gram
              is in the language than in its most likely language, in units of 7/15 nats, at most 7 nats

N-grams that don't separate any two languages by at least 2 nats are left out. The same package versions produce the
same bytes.

Needs, from PyPI: numpy 2.5.5, py3langid 0.4.0, zstandard 0.25.0.  Use: python3 vendor.py
"""

import collections
import importlib.resources
import pathlib
import struct

import numpy as np
import zstandard
from py3langid.modelio import load_model

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = ("en de fr es pt it nl sv no da fi pl cs sk hu ro bg uk ru el tr vi id ms sw tl ar fa he hi bn ta th zh ja "
             "ko").split()
# The minimum difference that an n-gram must make, and the value at which differences are capped, in nats.
LEAST, MOST = 2, 7
LEVEL = 22


def ngrams(states, row, out):
    """Returns the bytes of each feature: the path from the automaton's start to the first state that reports it."""
    table = np.asarray(states).reshape(-1, 256)
    paths, queue = {0: b""}, collections.deque([0])
    while queue:
        state = queue.popleft()
        for byte, to in enumerate(table[row[state]].tolist()):
            if to not in paths:
                paths[to] = paths[state] + bytes([byte])
                queue.append(to)
    return {paths[state]: int(feature) for state, feature in enumerate(out) if feature >= 0}


def main():
    path = importlib.resources.files("py3langid") / "data" / "model.npz.xz"
    weights, _, classes, states, row, out = load_model(str(path))
    columns = [classes.index(language) for language in LANGUAGES]
    weights = np.asarray(weights, dtype=np.float32)[:, columns]
    less = weights.max(1, keepdims=True) - weights
    telling = less.max(1) >= LEAST
    features = ngrams(states, np.asarray(row), out)
    keys = sorted(key for key, feature in features.items() if telling[feature])
    rows = np.round(np.minimum(less, MOST) / MOST * 15).astype(np.uint8)[[features[key] for key in keys]]
    packed = b"LID36\0\0\1" + struct.pack("<I", len(keys)) + "".join(LANGUAGES).encode()
    packed += b"".join(bytes([len(key)]) + key for key in keys)
    packed += (rows[:, 0::2] | rows[:, 1::2] << 4).astype(np.uint8).tobytes()
    (HERE / "model.bin.zst").write_bytes(zstandard.ZstdCompressor(level=LEVEL).compress(packed))
    print(len(keys), "n-grams,", len(packed), "bytes")


if __name__ == "__main__":
    main()
