"""Makes damaged and malicious PDFs, written byte by byte."""

import zlib

TEXT = b"BT /F1 24 Tf 72 760 Td (The lighthouse keeps its own hours) Tj ET\n" \
    b"BT /F1 12 Tf 72 730 Td (Its keeper winds the clock every 30 hours and counts 412 ships a year.) Tj ET"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def stream(data, extra=b""):
    return b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(data), extra, data)


def file(objects, trailer=b"/Root 1 0 R", shift=0):
    """Returns a file of these objects, numbered from 1; its classic cross-reference table is off by `shift`."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for n, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % (p + shift) for p in places)
    out += b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start + shift)
    return bytes(out)


def page(contents=b"4 0 R", parent=b"2 0 R", extra=b""):
    return b"<< /Type /Page /Parent %s /MediaBox [0 0 595 842] /Contents %s /Resources << /Font << /F1 5 0 R >> >> %s>>" \
        % (parent, contents, extra)


CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"


def truncated(here):
    """Returns the first three fifths of a valid file, without the cross-reference table."""
    whole = (here / "report.pdf").read_bytes()
    return whole[:len(whole) * 3 // 5]


def not_a_pdf(here):
    """Returns the HTML error page that a server sends for a dead link to a PDF."""
    return b"<!doctype html>\n<html><head><title>404 Not Found</title></head>\n" \
        b"<body><h1>Not Found</h1><p>The requested document was not found on this server.</p></body></html>\n"


def empty(here):
    return b""


def bad_xref(here):
    """Returns a file with wrong offsets, as after a transfer in text mode; readers can repair it."""
    return file([CATALOG, PAGES, page(), stream(TEXT), FONT], shift=17)


def cyclic_page_tree(here):
    """Returns a page tree with a node that is its own child, twice."""
    kids = b"<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 3 /Parent 2 0 R >>"
    return file([CATALOG, kids, page(), stream(TEXT), FONT])


def cyclic_forms(here):
    """Returns two forms that draw each other, twice each time."""
    def form(other):
        return stream(b"/X Do /X Do", b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
                      b"/Resources << /XObject << /X %s >> >> " % other)
    contents = stream(b"/X Do")
    body = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R " \
        b"/Resources << /XObject << /X 5 0 R >> >> >>"
    return file([CATALOG, PAGES, body, contents, form(b"6 0 R"), form(b"5 0 R")])


def stream_bomb(here):
    """Returns a page that inflates in two steps from a few kilobytes to a gigabyte of spaces."""
    squeeze = zlib.compressobj(9)
    megabyte = b" " * (1 << 20)
    once = b"".join(squeeze.compress(megabyte) for _ in range(1024)) + squeeze.flush()
    twice = zlib.compress(once, 9)
    return file([CATALOG, PAGES, page(), stream(twice, b"/Filter [/FlateDecode /FlateDecode] "), FONT])


def object_stream_bomb(here):
    """Returns a file whose catalogue is in an object stream that inflates in two steps to 512 MiB."""
    squeeze = zlib.compressobj(9)
    body = b"1 0 2 40 " + CATALOG.ljust(40) + PAGES
    head = len(b"1 0 2 40 ")
    megabyte = b" " * (1 << 20)
    once = squeeze.compress(body) + b"".join(squeeze.compress(megabyte) for _ in range(512)) + squeeze.flush()
    data = zlib.compress(once, 9)
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = {}
    objects = {3: page(), 4: stream(TEXT), 5: FONT,
               6: stream(data, b"/Type /ObjStm /N 2 /First %d /Filter [/FlateDecode /FlateDecode] " % head)}
    for n, text in objects.items():
        places[n] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (n, text)
    start = len(out)
    row = lambda kind, a, b: bytes([kind]) + a.to_bytes(4, "big") + bytes([b])
    rows = row(0, 0, 255) + row(2, 6, 0) + row(2, 6, 1) + b"".join(row(1, places[n], 0) for n in (3, 4, 5, 6))
    rows += row(1, start, 0)
    out += b"7 0 obj\n%s\nendobj\n" % stream(rows, b"/Type /XRef /Size 8 /W [1 4 1] /Root 1 0 R ")
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def deep_array(here):
    """Returns a file with 10,000 nested arrays in place of a page's box."""
    deep = b"[" * 10_000 + b"0" + b"]" * 10_000
    return file([CATALOG, PAGES, page(extra=b"/Annots %s " % deep), stream(TEXT), FONT])


def deep_operands(here):
    """Returns a file with 10,000 nested dictionaries as an operand in the contents."""
    deep = b"<< /A " * 10_000 + b"0" + b" >>" * 10_000
    return file([CATALOG, PAGES, page(), stream(b"/P %s BDC EMC\n%s" % (deep, TEXT)), FONT])


def many_pages(here):
    """Returns 201 pages with two sentences each: one page more than the service reads."""
    first = 5
    kids = b"".join(b"%d 0 R " % n for n in range(first, first + 201))
    pages = [page(contents=b"3 0 R").replace(b"5 0 R", b"4 0 R")] * 201
    return file([CATALOG, b"<< /Type /Pages /Kids [%s] /Count 201 >>" % kids, stream(TEXT), FONT, *pages])


PDFS = {
    "truncated": truncated,
    "not-a-pdf": not_a_pdf,
    "empty": empty,
    "bad-xref": bad_xref,
    "cyclic-page-tree": cyclic_page_tree,
    "cyclic-forms": cyclic_forms,
    "stream-bomb": stream_bomb,
    "object-stream-bomb": object_stream_bomb,
    "deep-array": deep_array,
    "deep-operands": deep_operands,
    "many-pages": many_pages,
}
