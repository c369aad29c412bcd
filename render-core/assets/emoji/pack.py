"""Packs pictures and sequences into bytes. `src/text/emoji/packed.rs` reads them and documents the format."""

from picture import BOX

VERSION = 1
VERBS = {"M": 0, "L": 1, "Q": 2, "C": 3}


def varint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def signed(n):
    return varint(2 * n if n >= 0 else -2 * n - 1)


def path_bytes(subpaths):
    """Encodes runs of one verb: a byte (verb in the low two bits, the count less one above), then point deltas."""
    segments = [s for subpath in subpaths for s in subpath]
    out = bytearray()
    x = y = 0
    i = 0
    while i < len(segments):
        verb = segments[i][0]
        run = 1
        while i + run < len(segments) and segments[i + run][0] == verb and run < 64:
            run += 1
        out.append(VERBS[verb] | (run - 1) << 2)
        for _, points in segments[i:i + run]:
            for px, py in points:
                assert -BOX <= px <= 2 * BOX and -BOX <= py <= 2 * BOX, (px, py)
                out += signed(px - x) + signed(py - y)
                x, y = px, py
        i += run
    return bytes(out)


def blobs(items):
    """Encodes a list: its length, the lengths of its items, then the items."""
    return varint(len(items)) + b"".join(varint(len(i)) for i in items) + b"".join(items)


def pack(pictures, sequences):
    """Packs `pictures` (lists of layers) and `sequences` (code points, whether text by default, picture index)."""
    colours, paths, path_at = {}, [], {}
    packed = []
    for layers in pictures:
        out = bytearray()
        for subpaths, colour in layers:
            data = path_bytes(subpaths)
            if data not in path_at:
                path_at[data] = len(paths)
                paths.append(data)
            out += varint(path_at[data]) + varint(colours.setdefault(colour, len(colours)))
        packed.append(bytes(out))
    table = bytearray()
    before = ()
    for points, is_text, picture in sorted(sequences):
        assert points > before
        shared = next((i for i, (a, b) in enumerate(zip(points, before)) if a != b), min(len(points), len(before)))
        table += varint(shared) + varint(len(points) - shared)
        table += b"".join(map(varint, points[shared:])) + varint(2 * picture + is_text)
        before = points
    palette = b"".join(map(bytes, colours))
    return (bytes([VERSION]) + varint(len(colours)) + palette + varint(len(sequences)) + varint(len(table)) + table
            + blobs(packed) + blobs(paths))
