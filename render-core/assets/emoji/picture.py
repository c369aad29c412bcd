"""Converts an SVG picture to layers: filled paths of one colour each, in integer 1/64 of a 32-unit box, y down.

A layer is (subpaths, colour). A subpath is a list of segments: first `("M", [(x, y)])`, then `L`, `Q` and `C` with
their one, two or three points. A straight line closes it, and the non-zero rule defines its inside. A colour is four
bytes, RGBA.
"""

import math
import re

import pathops
from lxml import etree
from picosvg.svg import SVG
from picosvg.svg_types import SVGPath

SVG_NS = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
# The colour names that the files use.
NAMED = {"none": None, "currentcolor": (0, 0, 0), "black": (0, 0, 0), "white": (255, 255, 255), "red": (255, 0, 0),
         "gold": (255, 215, 0), "silver": (192, 192, 192), "gray": (128, 128, 128), "navy": (0, 0, 128),
         "green": (0, 128, 0), "yellow": (255, 255, 0), "blue": (0, 0, 255), "olive": (128, 128, 0),
         "maroon": (128, 0, 0), "purple": (128, 0, 128), "orange": (255, 165, 0), "lime": (0, 255, 0),
         "teal": (0, 128, 128), "aqua": (0, 255, 255), "pink": (255, 192, 203), "brown": (165, 42, 42)}
UNITS = 64
BOX = 32 * UNITS


def layers_of(body, view_box, place, clip=None, least=0.0, slack=0.0):
    """Returns the layers of an SVG's inner text.

    `place` maps the units of the view box to the box of 32: (scale, dx, dy, flip). `clip` is a pathops path in units of
    the box; everything is clipped to it. Subpaths of at most `least` units in both directions are dropped. Curves
    within `slack` units of their chord become lines, and points that close to a line are dropped.
    """
    root = etree.fromstring(
        f'<svg xmlns="{SVG_NS}" xmlns:xlink="{XLINK}" viewBox="{view_box}">{body}</svg>'.encode()
    )
    _plain(root)
    svg = SVG.fromstring(etree.tostring(root).decode()).topicosvg(ndigits=5)
    scale, dx, dy, flip = place
    layers = []
    for shape in svg.shapes():
        colour = _colour(shape)
        if colour[3] == 0:
            continue
        path = pathops.Path()
        _draw(shape.as_path(), path.getPen(), (-scale if flip else scale, scale, dx, dy))
        if clip is not None:
            path = pathops.op(path, clip, pathops.PathOp.INTERSECTION, fix_winding=True)
        subpaths = [s for s in _quantise(path, slack * UNITS) if _extent(s) > least * UNITS]
        if subpaths:
            layers.append((subpaths, colour))
    return _merged(layers)


def _plain(root):
    """Removes or expands what picosvg doesn't support: filters, markers, units of length, metadata."""
    for node in list(root.iter()):
        if not isinstance(node.tag, str):
            continue
        tag = etree.QName(node).localname
        if tag in ("filter", "title", "desc", "metadata"):
            node.getparent().remove(node)
            continue
        for part in node.attrib.pop("style", "").split(";"):
            if ":" in part and not part.strip().startswith("-"):
                node.set(*(word.strip() for word in part.split(":", 1)))
        for name in list(node.attrib):
            if name in ("filter", "mask", "class") or name.startswith("aria-"):
                del node.attrib[name]
            elif re.fullmatch(r"[\d.]+(pt|px)", node.attrib[name]):
                node.attrib[name] = node.attrib[name][:-2]
        href = node.get(f"{{{XLINK}}}href")
        if tag == "use" and href is None and node.get("href"):
            node.set(f"{{{XLINK}}}href", node.attrib.pop("href"))
    gradients = {node.get("id"): node for node in root.iter() if "Gradient" in str(node.tag)}
    for node in root.iter(etree.Element):
        for name in ("fill", "stroke"):
            wanted = re.match(r"url\(#([^)]+)\)", node.get(name, ""))
            if wanted and wanted[1] in gradients:
                *rgb, alpha = _mean_colour(gradients[wanted[1]], gradients)
                node.set(name, "#%02x%02x%02x" % tuple(math.floor(c + 0.5) for c in rgb))
                if alpha < 1:
                    node.set(f"{name}-opacity", str(alpha * float(node.get(f"{name}-opacity", 1))))
            elif wanted:
                node.set(name, "none")
    for gradient in gradients.values():
        gradient.getparent().remove(gradient)
    markers = {m.get("id"): m for m in root.iter(f"{{{SVG_NS}}}marker")}
    for node in list(root.iter(f"{{{SVG_NS}}}path")):
        wanted = re.fullmatch(r"url\(#(.+)\)", node.get("marker-mid", ""))
        if wanted:
            _write_out_markers(node, markers[wanted[1]])
    for marker in markers.values():
        marker.getparent().remove(marker)


def _write_out_markers(node, marker):
    """Draws the marker at each inner point of the path, its top left corner there (no file sets a reference point)."""
    group = etree.SubElement(node.getparent(), f"{{{SVG_NS}}}g")
    points = [args[-2:] for _, args in SVGPath(d=node.get("d")).absolute(inplace=False).expand_shorthand().as_cmd_seq()
              if args]
    for x, y in points[1:-1]:
        copy = etree.SubElement(group, f"{{{SVG_NS}}}g", transform=f"translate({x} {y})")
        for child in marker:
            copy.append(etree.fromstring(etree.tostring(child)))
    node.getparent().replace(node, group)


def _rgb(text):
    text = text.strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}", text):
        text = "#" + "".join(2 * c for c in text[1:])
    if re.fullmatch(r"#[0-9a-f]{6}", text):
        return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))
    found = re.fullmatch(r"rgb\((\d+), ?(\d+), ?(\d+)\)", text)
    return tuple(map(int, found.groups())) if found else NAMED[text]


def _mean_colour(gradient, gradients):
    """Returns the mean colour of a gradient, weighted by the area between its stops: (r, g, b, alpha), alpha 0 to 1."""
    radial = "radial" in gradient.tag
    while not len(gradient):
        href = gradient.get(f"{{{XLINK}}}href") or gradient.get("href")
        if href is None:
            return 0, 0, 0, 0.0
        gradient = gradients[href[1:]]
    stops = []
    for stop in gradient.iter(f"{{{SVG_NS}}}stop"):
        offset = stop.get("offset", "0")
        offset = float(offset[:-1]) / 100 if offset.endswith("%") else float(offset)
        alpha = float(stop.get("stop-opacity", "1"))
        colour = _rgb(stop.get("stop-color", "#000"))
        stops.append((min(max(offset, 0.0), 1.0), [*(c * alpha for c in colour), alpha]))
    stops.sort(key=lambda stop: stop[0])
    total = [0.0] * 4
    steps = 256
    for i in range(steps):
        at = (i + 0.5) / steps
        weight = 2 * at / steps if radial else 1 / steps
        before = [s for s in stops if s[0] <= at] or stops[:1]
        after = [s for s in stops if s[0] > at] or stops[-1:]
        (a, low), (b, high) = before[-1], after[0]
        t = (at - a) / (b - a) if b > a else 0.0
        total = [sum_ + weight * (x + (y - x) * t) for sum_, x, y in zip(total, low, high)]
    alpha = total[3]
    return (*(c / alpha for c in total[:3]), alpha) if alpha > 0 else (0, 0, 0, 0.0)


def _colour(shape):
    rgb = _rgb(shape.fill)
    alpha = shape.opacity * shape.fill_opacity if rgb else 0
    return *(rgb or (0, 0, 0)), min(math.floor(alpha * 255 + 0.5), 255)


def _draw(path, pen, place):
    """Draws `path` with `pen`, transformed into the box."""
    sx, sy, dx, dy = place
    at = lambda args: [(x * sx + dx, y * sy + dy) for x, y in zip(args[::2], args[1::2])]
    is_open = False
    for command, args in path.absolute(inplace=False).explicit_lines().expand_shorthand().arcs_to_cubics().as_cmd_seq():
        if command == "M":
            if is_open:
                pen.closePath()
            pen.moveTo(at(args)[0])
            is_open = True
        elif command == "L":
            pen.lineTo(at(args)[0])
        elif command == "C":
            pen.curveTo(*at(args))
        elif command == "Q":
            pen.qCurveTo(*at(args))
        elif command == "Z":
            pen.closePath()
            is_open = False
        else:
            raise ValueError(command)
    if is_open:
        pen.closePath()


def _quantise(path, slack):
    """Returns the subpaths in integer units, without parts that vanish in integer units."""
    whole = lambda p: (math.floor(p[0] * UNITS + 0.5), math.floor(p[1] * UNITS + 0.5))
    path.convertConicsToQuads()
    contours = []
    for verb, points in path:
        points = [whole(p) for p in points]
        if verb == pathops.PathVerb.MOVE:
            contours.append([("M", points)])
        elif verb == pathops.PathVerb.LINE:
            _line(contours[-1], points[-1], slack)
        elif verb == pathops.PathVerb.QUAD:
            _curve(contours[-1], "Q", points, slack)
        elif verb == pathops.PathVerb.CUBIC:
            _curve(contours[-1], "C", points, slack)
    subpaths = []
    for segments in contours:
        if segments[-1][0] == "L" and segments[-1][1][-1] == segments[0][1][0]:
            segments.pop()
        if len(segments) > 2 or any(s[0] in "QC" for s in segments):
            subpaths.append(segments)
    return subpaths


def _distance(p, a, b):
    """Returns the distance of `p` from the segment between `a` and `b`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length, 0), 1) if length else 0
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def _line(segments, end, slack):
    start = segments[-1][1][-1]
    if start == end:
        return
    if segments[-1][0] == "L" and _distance(start, segments[-2][1][-1], end) <= slack:
        segments[-1] = ("L", [end])
    else:
        segments.append(("L", [end]))


def _curve(segments, verb, points, slack):
    start = segments[-1][1][-1]
    if all(_distance(p, start, points[-1]) <= slack for p in points[:-1]):
        _line(segments, points[-1], slack)
    else:
        segments.append((verb, points))


def _bounds(subpath):
    xs, ys = zip(*(p for _, points in subpath for p in points))
    return min(xs), min(ys), max(xs), max(ys)


def _extent(subpath):
    x0, y0, x1, y1 = _bounds(subpath)
    return max(x1 - x0, y1 - y0)


def _merged(layers):
    """Merges adjacent layers of one colour that don't overlap, so that fewer layers are drawn."""
    merged = []
    for subpaths, colour in layers:
        boxes = [_bounds(s) for s in subpaths]
        if merged and merged[-1][1] == colour:
            apart = all(a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
                        for a in boxes for b in map(_bounds, merged[-1][0]))
            if apart:
                merged[-1][0].extend(subpaths)
                continue
        merged.append((list(subpaths), colour))
    return merged


def rounded_rectangle(x0, y0, x1, y1, radius):
    """Returns a rectangle with circular corners as a pathops path."""
    path = pathops.Path()
    _draw(SVGPath(d=rounded_rectangle_data(x0, y0, x1, y1, radius)), path.getPen(), (1, 1, 0, 0))
    return path


def rounded_rectangle_data(x0, y0, x1, y1, radius):
    """Returns the same rectangle as SVG path data."""
    arc = f"a{radius} {radius} 0 0 1"
    return (f"M{x0 + radius} {y0}H{x1 - radius}{arc} {radius} {radius}V{y1 - radius}{arc} {-radius} {radius}"
            f"H{x0 + radius}{arc} {-radius} {-radius}V{y0 + radius}{arc} {radius} {-radius}Z")
