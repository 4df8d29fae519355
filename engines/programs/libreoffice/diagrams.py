"""The words of diagrams (SmartArt) in Word documents, of which LibreOffice makes pictures (ECMA-376 part 1, §21.4.3)."""

import posixpath
import re
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from packages import bytes_of

MOST = 20_000_000  # bytes of the data of a diagram, and of what all diagrams add
DEEPEST = 20  # levels of points below each other
SHOWN = re.compile(rb'<\w+:relIds\b[^<>]*?\s\w+:dm="([^"<>]*)"')
END = b"</w:p>"


def worded(package, document):
    """Returns the document with the words of each diagram in paragraphs below the one that shows it."""
    relations = ElementTree.fromstring(package.read("word/_rels/document.xml.rels"))
    targets = {item.get("Id"): item.get("Target") for item in relations}
    known, left, out, at, end = {}, MOST, [], 0, -1
    for found in SHOWN.finditer(document):
        if end < found.start():
            end = document.find(END, found.start())
        if end < 0:
            break
        name = posixpath.join("/word", targets.get(found[1].decode(), ""))[1:]
        if name not in known:
            known[name] = b"".join(map(paragraph, words(package, name)))
        after = max(end + len(END), at)
        added = known[name] if len(known[name]) <= left else b""
        out += [document[at:after], added]
        left, at = left - len(added), after
    return b"".join(out) + document[at:]


def words(package, name):
    """The paragraphs of a diagram, in the order in which it shows them."""
    if name not in package.namelist() or package.getinfo(name).file_size > MOST:
        return []
    data = ElementTree.fromstring(bytes_of(package, package.getinfo(name)))
    points = {point.get("modelId"): lines_of(point) for point in data.iterfind(".//{*}pt")}
    links = [link for link in data.iterfind(".//{*}cxn") if link.get("type", "parOf") == "parOf"]
    below = {}
    for link in sorted(links, key=lambda link: int(link.get("srcOrd", 0))):
        below.setdefault(link.get("srcId"), []).append(link.get("destId"))

    def walk(point, depth):
        lines = points.pop(point, None)
        if lines is None or depth > DEEPEST:
            return []
        return lines + [line for part in below.get(point, ()) for line in walk(part, depth + 1)]

    return [line for point in list(points) for line in walk(point, 1)]


def lines_of(point):
    lines = ("".join(run.text or "" for run in line.iterfind(".//{*}t")) for line in point.iterfind("{*}t/{*}p"))
    return [line for line in lines if line.strip()]


def paragraph(line):
    return f'<w:p><w:r><w:t xml:space="preserve">{escape(line)}</w:t></w:r></w:p>'.encode()
