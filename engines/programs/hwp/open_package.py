"""Reads a Hangul document in an open package (OWPML, KS X 6101; HWPX)."""

import os
import re
import sys
import zipfile

from lxml import etree

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from refusal.refusal import refuse  # noqa: E402

MOST = 256 << 20
SECTION = re.compile(r"Contents/section(\d+)\.xml")
# What stands for a letter inside a text.
SIGNS = {"tab": "\t", "lineBreak": "\n", "nbSpace": "\u00a0", "fwSpace": " ", "hyphen": "-"}


def named(node):
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


class Package:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path)
        self.left = MOST
        self.tables = 0
        if b"encryption-data" in self.member("META-INF/manifest.xml"):
            refuse("The document asks for a password", "ENCRYPTED_INPUT")

    def member(self, name):
        try:
            with self.zip.open(name) as file:
                content = file.read(self.left + 1)
        except KeyError:
            return b""
        self.left -= len(content)
        if self.left < 0:
            refuse("The document is larger than 256 MB", "RESOURCE_LIMIT")
        return content

    def tree(self, name):
        content = self.member(name)
        # libxml2 takes the square of the length of comments with `--` in them, unless it drops them.
        parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
        return etree.fromstring(content, parser) if content else etree.Element("none")

    def fact(self, name):
        found = next((node for node in self.tree("Contents/content.hpf").iter() if named(node) == name or node.get("name") == name), None)
        return "" if found is None else "".join(found.itertext()).strip()

    def paragraphs(self):
        """The text of each paragraph, and its table, row and column, if any. Nested tables are flattened."""
        numbers = sorted(int(match[1]) for match in map(SECTION.fullmatch, self.zip.namelist()) if match)
        for number in numbers:
            yield from self.inside(self.tree(f"Contents/section{number}.xml"), None)

    def inside(self, parent, place):
        for node in parent:
            if named(node) == "p":
                yield from self.paragraph(node, place)
            elif named(node) == "tc":
                at = next((child for child in node if named(child) == "cellAddr"), None)
                cell = (self.tables, int(at.get("rowAddr", 0)), int(at.get("colAddr", 0))) if at is not None else place
                yield from self.inside(node, place or cell)
            else:
                if named(node) == "tbl" and place is None:
                    self.tables += 1
                yield from self.inside(node, place)

    def paragraph(self, node, place):
        """A paragraph, then what is anchored in it: tables, boxes, notes."""
        said, anchored = [], []
        for run in node:
            for child in run if named(run) == "run" else ():
                if named(child) == "t":
                    said += [child.text or "", *(SIGNS.get(named(sign), "") + (sign.tail or "") for sign in child)]
                else:
                    anchored.append(child)
        yield "".join(said), place
        for child in anchored:
            yield from self.inside((child,), place)
