"""The parts of a web archive (MHTML, RFC 2557), found by their locations and ids."""

import re
from email.parser import BytesParser
from email.policy import compat32
from urllib import parse
from urllib.parse import unquote

from refusal.refusal import refuse

from text.charset import legible

# Bytes of the largest text that is rewritten.
TEXT = 50_000_000
HTML = ("text/html", "application/xhtml+xml")


def urljoin(base, reference):
    """Joins addresses. A malformed one stays as it is."""
    try:
        return parse.urljoin(base, reference)
    except ValueError:
        return reference


def urldefrag(address):
    """An address and its fragment, also of a malformed one."""
    try:
        return tuple(parse.urldefrag(address))
    except ValueError:
        return address.partition("#")[::2]


def bare(value):
    """A location or id from a header, which writers fold into several lines."""
    return re.sub(r"\s+", "", str(value or "")).strip("<>")


class Archive:
    """A page and the files that were saved with it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            message = BytesParser(policy=compat32).parse(file)
        leaves = [part for part in message.walk() if not part.is_multipart()]
        self.parts, self.names = {}, {}
        # Locations may be relative to that of the whole archive.
        self.base = bare(message["Content-Base"] or message["Content-Location"] or message["Snapshot-Content-Location"])
        for part in leaves:
            for key in self.keys(part):
                self.parts.setdefault(key, part)
            name = part.get_filename()
            if name:
                self.names.setdefault(name, part)
        self.subject = message["Subject"]
        self.root = self.first(message, leaves)

    def keys(self, part):
        location, identity = bare(part["Content-Location"]), bare(part["Content-ID"])
        if location:
            absolute = urljoin(self.base, location) if self.base else location
            yield from (absolute, unquote(absolute), location)
        if identity:
            yield f"cid:{identity}"

    def first(self, message, leaves):
        """The part that is the page itself: the one that the archive names, else the first page in it."""
        start = bare(message.get_param("start"))
        named = self.parts.get(f"cid:{start}") if start else None
        pages = [part for part in leaves if part.get_content_type() in HTML]
        if named in pages:
            return named
        if not pages:
            refuse("The web archive has no page")
        return pages[0]

    def location(self, part):
        """Where a part was on the web; empty if nobody knows."""
        location = bare(part["Content-Location"])
        return urljoin(self.base, location) if self.base else location

    def find(self, reference, base):
        """The part that a reference means, or None."""
        reference = urldefrag(re.sub(r"[\t\r\n]", "", reference).strip())[0]
        if not reference:
            return None
        absolute = reference if reference.lower().startswith("cid:") else urljoin(base, reference)
        forms = [absolute, unquote(absolute), reference]
        found = next((self.parts[form] for form in forms if form in self.parts), None)
        # Some writers give a file nothing but a name.
        return found or self.names.get(reference.rpartition("/")[2])


def content_of(part):
    return part.get_payload(decode=True) or b""


def text_of(part):
    """A text in the character set that its part, a mark or it itself declares."""
    content = content_of(part)
    if len(content) > TEXT:
        refuse("The page is larger than 50 MB", "RESOURCE_LIMIT")
    head = content[:4096].decode("latin1")
    said = re.search(r"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w:.-]+)|^\s*@charset\s+\"([\w:.-]+)|<\?xml[^>]{0,200}encoding=[\"']([\w.-]+)", head, re.I)
    marked = "utf-8-sig" if content[:3] == b"\xef\xbb\xbf" else "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
    charsets = [marked, part.get_content_charset(), *(said.groups() if said else ()), "utf-8"]
    for charset in filter(None, charsets):
        try:
            return content.decode(charset)
        except (LookupError, UnicodeDecodeError):
            pass
    said = next(filter(None, charsets), "utf-8")
    try:
        # A few wrong bytes in a page of another character set than Latin.
        return content.decode(said, "replace") if said != "utf-8" else legible(content)
    except LookupError:
        return legible(content)
