#!/usr/bin/env python3
"""chart_check.py FILE.svg...: judges drawings without knowing how they were made.

Each must be well-formed XML with one svg element, a title and a description that it names; hold no
script, no style attribute, no style element (but for a file of its own), no link; have every
coordinate inside of its viewBox; and no label over another one, by widths that are estimated here.
Prints one line for each offence; exit 1 if there is any.
"""
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
# Narrower than any face that is likely to be used: what overlaps by these does so everywhere.
NARROW, WIDE = 0.5, 1.0
SLACK = 1.0  # units that a label may reach over the edge, or into another one


def width_of(text, size):
    ems = (0 if unicodedata.combining(c) else
           WIDE if unicodedata.east_asian_width(c) in "WF" else NARROW for c in text)
    return sum(ems) * size


def path_points(d):
    """The points of a path of M, m, L, l, H, h, V, v, z; absolute."""
    points, x, y, command = [], 0.0, 0.0, "M"
    tokens = re.findall(r"[A-Za-z]|" + NUMBER.pattern, d)
    assert "".join(tokens) == re.sub(r"[\s,]+", "", d), "strange path"
    i = 0
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
            if command in "zZ":
                continue
        if command in "hH":
            x = float(tokens[i]) + (x if command == "h" else 0)
            i += 1
        elif command in "vV":
            y = float(tokens[i]) + (y if command == "v" else 0)
            i += 1
        elif command in "aA":
            dx, dy = float(tokens[i + 5]), float(tokens[i + 6])
            x, y = (x + dx, y + dy) if command == "a" else (dx, dy)
            i += 7
        elif command in "MmLl":
            first = command in "m" and not points
            dx, dy = float(tokens[i]), float(tokens[i + 1])
            x, y = (dx, dy) if command in "ML" or first else (x + dx, y + dy)
            i += 2
            command = {"M": "L", "m": "l"}.get(command, command)
        else:
            raise AssertionError("path command " + command)
        points.append((x, y))
    return points


def attribute(inherited, element, name, default):
    return element.get(name, inherited.get(name, default))


class Drawing:
    def __init__(self, path):
        self.path, self.offences = path, []
        self.points, self.labels = [], []
        self.bytes = open(path, "rb").read()

    def offence(self, what):
        self.offences.append("%s: %s" % (self.path, what))

    def judge(self):
        try:
            root = ET.fromstring(self.bytes)
        except ET.ParseError as error:
            return self.offence("not well-formed: %s" % error)
        if root.tag != SVG + "svg":
            return self.offence("root is " + root.tag)
        self.heads(root)
        self.left, self.top, width, height = map(float, root.get("viewBox").split())
        self.right, self.bottom = self.left + width, self.top + height
        self.walk(root, {}, 0, 0)
        self.inside()
        self.apart()

    def heads(self, root):
        ids = {e.get("id"): e.tag for e in root if e.get("id")}
        named = (root.get("aria-labelledby") or "").split()
        heads = [ids.get(i) for i in named] == [SVG + "title", SVG + "desc"]
        if root.get("role") != "img" or not (heads or root.get("aria-label")):
            self.offence("no title and description that it names")
        if not (root[0].text or "").strip():
            self.offence("empty title")

    def walk(self, element, inherited, dx, dy):
        tag = element.tag.removeprefix(SVG)
        file_style = tag == "style" and ".file." in self.path
        if tag in ("script", "a", "image", "use", "foreignObject") or (tag == "style" and not file_style):
            self.offence("has a <%s>" % tag)
        for name, value in element.attrib.items():
            if name == "style" or name.startswith("on") or "javascript:" in value:
                self.offence("has %s=%s" % (name, value[:40]))
            if re.search(r"\b(nan|inf)\b", value.lower()):
                self.offence("%s=%s" % (name, value[:60]))
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)"))
        dx, dy = dx + float(moved[1]), dy + float(moved[2])
        here = dict(inherited)
        here.update({k: element.get(k) for k in ("font-size", "text-anchor") if element.get(k)})
        if tag == "path":
            self.points += [(x + dx, y + dy) for x, y in path_points(element.get("d"))]
        elif tag == "text":
            self.label(element, here, dx, dy)
        elif tag == "rect":
            x, y, w, h = (float(element.get(k, 0)) for k in ("x", "y", "width", "height"))
            self.points += [(x + dx, y + dy), (x + w + dx, y + h + dy)]
            if w < 0 or h < 0:
                self.offence("a rect of negative size")
        elif tag == "circle":
            self.points.append((float(element.get("cx")) + dx, float(element.get("cy")) + dy))
        elif tag == "line":
            self.points += [(float(element.get("x%d" % i)) + dx, float(element.get("y%d" % i)) + dy)
                            for i in (1, 2)]
        for child in element:
            self.walk(child, here, dx, dy)

    def label(self, element, here, dx, dy):
        text, size = "".join(element.itertext()), float(here.get("font-size", 13))
        x, y = float(element.get("x")) + dx, float(element.get("y")) + dy
        width = float(element.get("textLength") or width_of(text, size))
        left = x - {"start": 0, "middle": width / 2, "end": width}[here.get("text-anchor", "start")]
        self.labels.append((left, y - 0.72 * size, left + width, y + 0.1 * size, text))

    def inside(self):
        for x, y in self.points:
            if not (self.left - SLACK <= x <= self.right + SLACK and
                    self.top - SLACK <= y <= self.bottom + SLACK):
                return self.offence("point %.1f %.1f outside of the viewBox" % (x, y))
        for left, top, right, bottom, text in self.labels:
            if (left < self.left - SLACK or top < self.top - SLACK or
                    right > self.right + SLACK or bottom > self.bottom + SLACK):
                self.offence("label outside: %r" % text[:60])

    def apart(self):
        for i, a in enumerate(self.labels):
            for b in self.labels[:i]:
                if (a[0] + SLACK < b[2] and b[0] + SLACK < a[2] and
                        a[1] + SLACK < b[3] and b[1] + SLACK < a[3]):
                    self.offence("labels overlap: %r and %r" % (a[4][:40], b[4][:40]))


def main():
    offences = []
    for path in sys.argv[1:]:
        drawing = Drawing(path)
        drawing.judge()
        offences += drawing.offences
    print("\n".join(offences) if offences else "%d drawings are sound" % (len(sys.argv) - 1))
    return 1 if offences or len(sys.argv) < 2 else 0


sys.exit(main())
