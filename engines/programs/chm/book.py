"""Makes an EPUB of a help file (CHM): `book.py INPUT OUTPUT`. Pages are in the order of its contents; others follow."""

import html
import os
import posixpath
import re
import sys
import zipfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from contents import outline, topics  # noqa: E402
from help import Help  # noqa: E402
from refusal.refusal import refuse  # noqa: E402
from topic import words, xhtml  # noqa: E402

PAGES = (".htm", ".html", ".xhtml", ".xht")
# Files beside the pages, by the ending of their names.
TYPES = {
    **{".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".bmp": "image/bmp"},
    **{".svg": "image/svg+xml", ".css": "text/css"},
}
CONTAINER = """<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""


# Space above or below that is negative: Internet Explorer 4 had more space there, which today's programs do not add.
MARGIN = re.compile(rb"(?<=\bmargin:)[^;{}]*|(?<=\bmargin-top:)[^;{}]*|(?<=\bmargin-bottom:)[^;{}]*", re.I)
NEGATIVE = re.compile(rb"(?<![\w.])-[\d.]+[a-z%]*", re.I)


def without_overlaps(styles):
    """A style sheet in which no line is drawn over another."""
    return MARGIN.sub(lambda found: NEGATIVE.sub(b"0", found[0]), styles)


def natural(name):
    return [(0, int(part)) if part.isdigit() else (1, part.casefold()) for part in re.split(r"(\d+)", name) if part]


def contents_of(book):
    """Entries of the table of contents: that which the help file names, else all that it has."""
    named = book.find(book.decoded(book.file.topics)) if book.file.topics else None
    lists = [named] if named else sorted((name for name in book.names if name.lower().endswith(".hhc")), key=natural)
    return [entry for name in lists for entry in topics(book.text(name))]


def order_of(book, entries):
    """Names of the pages in reading order: the first page, those in the contents, and all others."""
    home = book.find(book.decoded(book.file.home)) if book.file.home else None
    listed = [book.find(address) for _, _, address in entries]
    first = [home] if home and home not in listed else []
    others = sorted((name for name in book.names if not name.startswith(("#", "$"))), key=natural)
    pages = [name for name in [*first, *listed, *others] if name and name.lower().endswith(PAGES)]
    return list(dict.fromkeys(pages))


def main(source, target):
    book = Help(source)
    entries = contents_of(book)
    titles = {book.find(address): title for _, title, address in reversed(entries)}
    order = order_of(book, entries)
    new = {name: f"page-{index}.xhtml" for index, name in enumerate(order)}
    others = {}

    def place(address, folder):
        if address.startswith("#"):
            return address
        name = book.find(address, folder)
        if name is None:
            return address if re.match(r"(https?|mailto):", address, re.I) else None
        fragment = address.partition("#")[2]
        if name in new:
            return new[name] + (f"#{fragment}" if fragment else "")
        ending = posixpath.splitext(name)[1].lower()
        return others.setdefault(name, f"other-{len(others)}{ending}") if ending in TYPES else None

    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        packed.writestr("META-INF/container.xml", CONTAINER)
        spine = []
        for name in order:
            folder = posixpath.dirname(name)
            title = titles.get(name) or posixpath.splitext(posixpath.basename(name))[0]
            page = xhtml(book.text(name), title, lambda address: place(address, folder))
            packed.writestr(new[name], page)
            # Frames around other pages have nothing to read.
            if words(page):
                spine.append(new[name])
        if not spine:
            refuse("The help file has no pages")
        for name, to in others.items():
            content = book.read(name)
            packed.writestr(to, without_overlaps(content) if to.endswith(".css") else content)
        title = book.decoded(book.file.title).strip() or "Unknown"
        packed.writestr("package.opf", package(title, book.language, list(new.values()), list(others.values()), spine))
        packed.writestr("toc.ncx", ncx(title, outline(entries), lambda address: place(address, "") if address else None))


def package(title, language, pages, others, spine):
    items = [f'<item id="p{index}" href="{page}" media-type="application/xhtml+xml"/>' for index, page in enumerate(pages)]
    kind = {name: TYPES[posixpath.splitext(name)[1]] for name in others}
    items += [f'<item id="i{index}" href="{name}" media-type="{kind[name]}"/>' for index, name in enumerate(others)]
    order = "".join(f'<itemref idref="p{pages.index(page)}"/>' for page in spine)
    return (
        '<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{html.escape(title)}</dc:title>'
        f'<dc:language>{language}</dc:language><dc:identifier id="id">urn:help</dc:identifier></metadata><manifest>'
        f'<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>{"".join(items)}</manifest>'
        f'<spine toc="ncx">{order}</spine></package>'
    )


def ncx(title, tree, place):
    def first(entry):
        return place(entry[1]) or next((found for found in map(first, entry[2]) if found), None)

    def points(entries):
        return "".join(
            f'<navPoint id="{id(entry)}"><navLabel><text>{html.escape(entry[0])}</text></navLabel><content src="{html.escape(first(entry))}"/>'
            f"{points(entry[2])}</navPoint>"
            for entry in entries
            if first(entry)
        )

    return (
        '<?xml version="1.0" encoding="utf-8"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head/>'
        f"<docTitle><text>{html.escape(title)}</text></docTitle><navMap>{points(tree)}</navMap></ncx>"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
