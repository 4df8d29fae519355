"""One page of a help file as XHTML."""

import re

from lxml import etree

from text.charset import legible
from text.tree import parsed, remove

XHTML = "http://www.w3.org/1999/xhtml"
CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w:.-]+)|<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w.-]+)", re.I)
DROPPED = {"script", "noscript", "object", "applet", "embed", "base", "meta", "iframe", "frame", "noframes", "xml"}
CONTROLS = re.compile(
    r"[\0-\x08\x0b\x0c\x0e-\x1f]|&#(?:0*(?:[1-8]|1[124-9]|2\d|3[01])(?!\d)|x0*(?:[1-8bcef]|1[\da-f])(?![\da-f]));?", re.I
)
LISTING = {"xmp", "listing", "plaintext"}
# Elements of HTML that readers of books know. All others become plain ones, so that their text stays.
KNOWN = set(
    "html head title style link body a abbr acronym address area article aside b bdi bdo big blockquote br caption center cite code col "
    "colgroup dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd "
    "li main map mark menu nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot "
    "th thead time tr tt u ul var wbr".split()
)
BLOCKS = {"p", "div", "table", "ul", "ol", "dl", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "hr", "form"}


def text_of(content, charset):
    """Text by its byte-order mark, as UTF-8, as it declares itself, or in the character set of the whole help file."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    said = CHARSET.search(content[:4096])
    names = [name.decode() for name in (said.groups() if said else ()) if name]
    for name in ("utf-8-sig", *names, charset):
        try:
            return content.decode(name or "")
        except (LookupError, UnicodeDecodeError):
            pass
    for name in (*names, charset):
        try:
            return content.decode(name or "", "replace")
        except LookupError:
            pass
    return legible(content)


def xhtml(text, title, link):
    """A page as XHTML. `link` turns an address in it into one in the book, or None if there is no such file."""
    root = parsed(CONTROLS.sub(" ", text))
    for node in list(root.iter()):
        styles = node.tag == "link" and "stylesheet" in (node.get("rel") or "").lower() and link(node.get("href") or "")
        if not isinstance(node.tag, str) or node.tag in DROPPED or (node.tag in ("link", "input") and not styles):
            remove(node)
            continue
        if node.tag in LISTING:
            node.tag = "pre"
        elif node.tag not in KNOWN:
            node.tag = "div" if any(child.tag in BLOCKS for child in node) else "span"
        for name, value in list(node.attrib.items()):
            if name.startswith("on") or ":" in name or re.match(r"\s*(java|vb)script:", value, re.I):
                del node.attrib[name]
            elif name in ("href", "src", "background"):
                to = link(value)
                if to is None:
                    del node.attrib[name]
                else:
                    node.set(name, to)
    root.set("xmlns", XHTML)
    head = root.find("head")
    if not (head.findtext("title") or "").strip():
        for empty in head.findall("title"):
            head.remove(empty)
        etree.SubElement(head, "title").text = title
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def words(page):
    """Whether a page has anything to read or see."""
    body = etree.fromstring(page).find(f"{{{XHTML}}}body")
    return body is not None and ("".join(body.itertext()).strip() != "" or any(True for _ in body.iter(f"{{{XHTML}}}img")))
