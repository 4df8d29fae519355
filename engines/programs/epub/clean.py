"""Rewrites an EPUB so that every reader finds its parts: all files in one folder, under plain names, in UTF-8."""

import html
import posixpath
import re
import zipfile

from lxml import etree

from cover import hide_cover
from flat import emphases, flat
from members import is_remote
from opf import MARKUP, list_members, package_of
from package import find_package, is_chapter, named, plain, tree, type_of

REFERENCE = re.compile(r'(\s(?:xlink:)?(?:href|src|poster|data|altimg)\s*=\s*)("[^"]*"|\'[^\']*\'|[^\s"\'>]+)', re.I)
SHEET = re.compile(r'(url\(\s*["\']?|@import\s+["\'])([^"\')]+)', re.I)
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""


class Book:
    """A book that is rewritten. `names` has the new name of each member that is kept."""

    def __init__(self, members):
        self.members = members
        self.package = find_package(members)
        self.root = tree(members.read(self.package)) if self.package else None
        self.folder = posixpath.dirname(self.package or '')
        self.names, self.taken, self.types = {}, {'package.opf'}, {}
        # Other ids of members that the manifest lists twice.
        self.same = {}
        sheets = [name for name in members.files if name.lower().endswith('.css')]
        self.classes = emphases(members.read(name).decode('utf8', 'replace') for name in sheets)

    def keep(self, name, said=''):
        """The new name of a member."""
        if name not in self.names:
            base, ending = posixpath.splitext(re.sub(r'[^A-Za-z0-9._-]', '_', posixpath.basename(name)))
            plain_name, count = base + ending, 1
            while plain_name.lower() in self.taken:
                count += 1
                plain_name = f'{base}-{count}{ending}'
            self.taken.add(plain_name.lower())
            self.names[name], self.types[name] = plain_name, type_of(name, said)
        return self.names[name]

    def target(self, reference, folder):
        """A reference from a file in `folder` as it is in the new package, or None."""
        if is_remote(reference):
            return None
        name = self.members.find(reference, folder)
        if name is None or name == self.package or name.startswith('META-INF/'):
            return None
        _, mark, fragment = reference.partition('#')
        return self.keep(name) + mark + fragment

    def rewritten(self, name, framed):
        """The content of a member in the new package."""
        content, kind, folder = self.members.read(name), self.types[name], posixpath.dirname(name)

        def attribute(match):
            to = self.target(html.unescape(match[2].strip('"\'')), folder)
            return match[0] if to is None else f'{match[1]}"{html.escape(to)}"'

        def sheet(match):
            to = self.target(match[2], folder)
            return match[0] if to is None else match[1] + to

        if kind == 'text/css':
            return SHEET.sub(sheet, content.decode('utf8', 'surrogateescape')).encode('utf8', 'surrogateescape')
        if kind not in MARKUP:
            return content
        text = SHEET.sub(sheet, REFERENCE.sub(attribute, plain(content)))
        text = re.sub(r'(<meta[^>]{0,200}charset\s*=\s*+["\']?\s*+)[\w.:-]+', r'\1utf-8', text, count=1, flags=re.I)
        if framed:
            text = flat(text, self.classes)
        return f'<?xml version="1.0" encoding="utf-8"?>\n{text}'.encode('utf8', 'replace')


def items_of(book):
    """Members that the manifest lists: by id, their names. Parts that do not exist are left out."""
    items, marks = {}, {}
    for item in named(book.root, 'item'):
        name = book.members.find(item.get('href') or '', book.folder) if item.get('href') else None
        if name in marks:
            book.same[item.get('id') or ''] = name
            continue
        if name is None or name == book.package:
            continue
        book.keep(name, item.get('media-type'))
        key = item.get('id') or f'item-{len(items)}'
        items[key if key not in items else f'{key}-{len(items)}'] = name
        marks[name] = {mark: item.get(mark) for mark in ('properties', 'fallback') if item.get(mark)}
    return items, marks


def spine_of(book, items):
    """Names of the chapters in reading order. Without an order: all that there are."""
    spine = {}
    for reference in named(book.root, 'itemref'):
        key = (reference.get('idref') or '').strip()
        name = items.get(key) or book.same.get(key)
        if name:
            spine.setdefault(name, {mark: reference.get(mark) for mark in ('linear', 'properties') if reference.get(mark)})
    if spine:
        return list(spine.items())
    listed = list(items.values()) or sorted(book.members.files, key=natural)
    return [(name, {}) for name in listed if is_chapter(name)]


def natural(name):
    return [int(part) if part.isdigit() else part.lower() for part in re.split(r'(\d+)', name)]


def write(members, target, framed):
    """Writes the book anew. With `framed`, pictures in frames of SVG become pictures. False if it has no chapters."""
    book = Book(members)
    items, marks = items_of(book)
    spine = spine_of(book, items)
    if not spine:
        return False
    for name, _ in spine:
        book.keep(name)
    package = package_of(book, items, spine, framed)
    if framed:
        hide_cover(book, package, items, marks, spine)
    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo('mimetype'), 'application/epub+zip')
        packed.writestr('META-INF/container.xml', CONTAINER)
        done = set()
        # Rewriting a file can find others that the manifest does not list.
        while rest := [name for name in book.names if name not in done]:
            for name in rest:
                packed.writestr(f'EPUB/{book.names[name]}', book.rewritten(name, framed), compresslevel=1)
                done.add(name)
        list_members(book, package, items, marks)
        packed.writestr('EPUB/package.opf', etree.tostring(package, xml_declaration=True, encoding='utf-8'))
        garbled = members.find('META-INF/encryption.xml')
        if garbled:
            renamed = re.sub(r'URI="([^"]+)"', lambda match: f'URI="EPUB/{book.target(match[1], "")}"', plain(members.read(garbled)))
            packed.writestr('META-INF/encryption.xml', renamed)
    return True
