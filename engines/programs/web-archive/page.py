"""Makes one HTML page of a web archive: `page.py [--bare] [--flow] INPUT OUTPUT`.

Pictures, fonts and style sheets are embedded, scripts are left out. `--flow` puts the content of frames into the page itself,
for readers that do not know frames. `--bare` leaves out what describes the page.
"""

import base64
import os
import re
import sys

from lxml import etree

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from archive import Archive, content_of, text_of, urljoin  # noqa: E402
from dom import described, link, mend_frames, written  # noqa: E402
from refusal.refusal import refuse  # noqa: E402
from text.tree import parsed, remove  # noqa: E402

# Bytes of all that is embedded, and levels of frames and style sheets inside of one another.
MOST, DEEPEST = 300_000_000, 5
DROPPED = (etree.Comment, etree.PI, "script", "base", "object", "embed", "applet", "noscript", "portal")
CALLED = re.compile(r"url\(\s*+(\"[^\"]*\"|'[^']*'|[^()\"']*+)\s*\)", re.I)
IMPORTED = re.compile(r"@import\s+(?:url\(\s*)?[\"']?([^\"')\s;]+)[\"']?\s*\)?\s*([^;]*);?", re.I)
EMPTY = "data:,"


class Page:
    """Embeds the parts of an archive into its pages."""

    def __init__(self, archive, flow):
        self.archive, self.flow, self.left = archive, flow, MOST

    def count(self, size):
        """Counts what is embedded: parts can be used again and again."""
        self.left -= size
        if self.left < 0:
            refuse("The page is larger than 300 MB with what it embeds", "RESOURCE_LIMIT")

    def data(self, part):
        """A part as an address that contains it."""
        content = content_of(part)
        self.count(len(content))
        kind = part.get_content_type()
        if kind == "image/svg+xml":
            content = re.sub(rb"<script\b.*?(?:</script\s*>|\Z)", b"", content, flags=re.I | re.S)
        return f"data:{kind};base64,{base64.b64encode(content).decode()}"

    def sheet(self, text, base, depth=0):
        """A style sheet with its pictures, fonts and the sheets that it imports."""

        self.count(len(text))

        def imported(match):
            part = self.archive.find(match[1], base)
            if part is None or depth >= DEEPEST:
                return ""
            inner = self.sheet(text_of(part), self.archive.location(part) or base, depth + 1)
            return f"@media {match[2]} {{\n{inner}\n}}" if match[2].strip() else inner

        def called(match):
            address = match[1].strip("\"' \t\r\n")
            if re.match(r"(data:|#|$)", address, re.I):
                return match[0]
            part = self.archive.find(address, base)
            return f'url("{self.data(part)}")' if part is not None else f"url({EMPTY})"

        return CALLED.sub(called, IMPORTED.sub(imported, text)).replace("</style", "<\\/style")

    def page(self, part, depth=0):
        """The tree of a part of the archive."""
        return self.tree(text_of(part), self.archive.location(part) or self.archive.base, depth)

    def tree(self, text, own, depth):
        """The tree of a page at the location `own`, with everything embedded."""
        self.count(len(text))
        root = parsed(text)
        base = own
        for node in root.iter("base"):
            base = urljoin(base, node.get("href") or "")
            break
        etree.strip_elements(root, *DROPPED, with_tail=False)
        for node in list(root.iter("meta")):
            if (node.get("http-equiv") or "").lower() not in ("", "content-type"):
                remove(node)
        for node in list(root.iter()):
            self.embed(node, base, own, depth)
        return root

    def embed(self, node, base, own, depth):
        for name, value in list(node.attrib.items()):
            key = name.lower()
            if key.startswith("on") or re.match(r"[\s\0-\x1f]*(java|vb)script:", value, re.I):
                del node.attrib[name]
            elif key == "style":
                node.set(name, self.sheet(value, base))
            elif key in ("src", "background", "poster") or (key.endswith("href") and node.tag in ("image", "use", "feImage")):
                part = self.archive.find(value, base)
                if node.tag in ("iframe", "frame"):
                    continue
                if part is not None:
                    node.set(name, self.data(part))
                elif not re.match(r"\s*(data:|#|$)", value, re.I):
                    del node.attrib[name]  # It would be loaded from elsewhere.
        if node.tag in ("a", "area") and node.get("href"):
            node.set("href", link(node.get("href"), base, own))
        elif node.tag == "style":
            node.text = self.sheet(node.text or "", base)
        elif node.tag == "link":
            self.linked(node, base)
        elif node.tag in ("img", "source"):
            self.chosen(node, base)
        elif node.tag == "template" and (node.get("shadowmode") or node.get("shadowrootmode")):
            node.tag = "div"  # Only scripts would show it.
        elif node.tag in ("iframe", "frame"):
            self.framed(node, base, depth)

    def linked(self, node, base):
        """Style sheets become part of the page; other links are of no use in it."""
        part = self.archive.find(node.get("href") or "", base)
        if part is None or "stylesheet" not in (node.get("rel") or "").lower() or "alternate" in node.get("rel").lower():
            return remove(node)
        media = node.get("media")
        sheet = self.sheet(text_of(part), self.archive.location(part) or base)
        node.attrib.clear()
        node.tag, node.text = "style", sheet
        if media:
            node.set("media", media)

    def chosen(self, node, base):
        """A picture in several sizes has the one that was saved."""
        sizes = [size.split()[0] for size in (node.attrib.pop("srcset", "") or "").split(", ") if size.strip()]
        found = [part for part in (self.archive.find(size.rstrip(","), base) for size in [*sizes, node.get("data-src") or ""]) if part is not None]
        if node.tag == "source" and node.getparent().tag == "picture":
            picture = node.getparent().find("img")
            if found and picture is not None and not (picture.get("src") or "").startswith("data:"):
                picture.set("src", self.data(found[0]))
            remove(node)
        elif node.tag == "img" and found and not (node.get("src") or "").startswith("data:"):
            node.set("src", self.data(found[0]))

    def framed(self, node, base, depth):
        """A frame becomes a page inside of the page, or, to flow, part of it."""
        part = self.archive.find(node.get("src") or "", base)
        inner = None
        if depth < DEEPEST and part is not None and "html" in part.get_content_type():
            inner = self.page(part, depth + 1)
        elif depth < DEEPEST and node.get("srcdoc"):
            inner = self.tree(node.get("srcdoc"), base, depth + 1)
        if inner is None:
            return remove(node)
        mend_frames(inner)
        node.attrib.pop("src", None)
        if node.tag == "iframe" and not self.flow:
            return node.set("srcdoc", written(inner))
        node.tag = "div"
        node.attrib.clear()
        body = inner.find("body")
        for child in [*inner.iter("style"), *(body if body is not None else [])]:
            node.append(child)
        node.text = body.text if body is not None else None


if __name__ == "__main__":
    *flags, source, target = sys.argv[1:]
    archive = Archive(source)
    made = Page(archive, "--flow" in flags).page(archive.root)
    described(made, archive.subject, "--bare" in flags)
    with open(target, "w", encoding="utf8", errors="replace") as file:
        file.write(written(made))
