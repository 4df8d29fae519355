"""Rewrites an EPUB so that every reader finds its parts: all files in one folder, under plain names, in UTF-8."""

import html
import posixpath
import re
import zipfile

from lxml import etree

from package import CHAPTERS, find_package, local, named, plain, tree, type_of
from members import is_remote

OPF, DC = 'http://www.idpf.org/2007/opf', 'http://purl.org/dc/elements/1.1/'
XHTML, NCX = 'application/xhtml+xml', 'application/x-dtbncx+xml'
MARKUP = (XHTML, NCX, 'image/svg+xml', 'application/smil+xml')
TERMS = set(
    'title creator subject description publisher contributor date type format identifier source language relation coverage rights'.split()
)
REFERENCE = re.compile(r'(\s(?:xlink:)?(?:href|src|poster|data|altimg)\s*=\s*)("[^"]*"|\'[^\']*\'|[^\s"\'>]+)', re.I)
SHEET = re.compile(r'(url\(\s*["\']?|@import\s+["\'])([^"\')]+)', re.I)
# Names that calibre gives to styles, which other programs take for languages of listings.
STYLED = re.compile(r'(<(?:pre|code)\b[^>]*?)\sclass\s*=\s*["\']calibre\w*["\']', re.I)
# A picture that only a frame in SVG surrounds, as cover pages have.
FRAMED = re.compile(r'<svg\b[^>]*>\s*(?:<(?:title|desc)\b[^>]*>[^<]*</(?:title|desc)>\s*)*<image\b[^>]*?(?:xlink:)?href\s*=\s*("[^"]*"|\'[^\']*\')[^>]*?(?:/>|>\s*</image>)\s*</svg>', re.I)
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
        text = re.sub(r'(<meta[^>]{0,200}charset\s*=\s*["\']?\s*)[\w.:-]+', r'\1utf-8', text, count=1, flags=re.I)
        if framed:
            text = STYLED.sub(r'\1', FRAMED.sub(r'<img alt="" src=\1/>', text))
        return f'<?xml version="1.0" encoding="utf-8"?>\n{text}'.encode('utf8', 'replace')


def items_of(book):
    """Members that the manifest lists: by id, their names. Parts that do not exist are left out."""
    items, marks = {}, {}
    for item in named(book.root, 'item'):
        name = book.members.find(item.get('href') or '', book.folder) if item.get('href') else None
        if name is None or name == book.package or name in items.values():
            continue
        book.keep(name, item.get('media-type'))
        key = item.get('id') or f'item-{len(items)}'
        items[key if key not in items else f'{key}-{len(items)}'] = name
        marks[name] = {mark: item.get(mark) for mark in ('properties', 'fallback') if item.get(mark)}
    return items, marks


def spine_of(book, items):
    """Names of the chapters in reading order. Without an order: all that there are."""
    spine, found = [], named(book.root, 'itemref')
    for reference in found:
        name = items.get((reference.get('idref') or '').strip())
        if name and name not in [other for other, _ in spine]:
            spine.append((name, reference.get('linear')))
    if spine:
        return spine
    listed = list(items.values()) or sorted(book.members.files, key=natural)
    return [(name, None) for name in listed if is_chapter(name)]


def is_chapter(name):
    return name.lower().endswith(CHAPTERS) and not re.search(r'(^|/)(META-INF/|(nav|toc)\.x?html?$)', name)


def natural(name):
    return [int(part) if part.isdigit() else part.lower() for part in re.split(r'(\d+)', name)]


def is_noise(name, node):
    """Whether metadata is about the program that wrote the book, or says nothing."""
    text = ''.join(node.itertext()).strip()
    made = name == 'identifier' and (node.get('id') or node.get('scheme') or '').lower().startswith(('uuid', 'calibre'))
    return made or (name == 'contributor' and text.startswith('calibre')) or text in ('Unknown', 'und', 'urn:help')


def metadata_of(book, items, framed):
    """The metadata element, with the names that the standard gives."""
    out = etree.Element(f'{{{OPF}}}metadata', nsmap={None: OPF, 'dc': DC, 'opf': OPF})
    ids = {name: key for key, name in items.items()}
    for node in [part for meta in named(book.root, 'metadata') for part in meta.iter()]:
        name = local(node)
        if (name not in TERMS and name != 'meta') or (framed and is_noise(name, node)):
            continue
        made = etree.SubElement(out, f'{{{DC if name in TERMS else OPF}}}{name}')
        made.text = ''.join(node.itertext())
        for key, value in node.attrib.items():
            key = key.replace('opf:', f'{{{OPF}}}') if key.startswith('opf:') else key
            if re.fullmatch(r'(\{[^}]+\})?[A-Za-z_][\w.-]*', key):
                made.set(key, value)
        # Some writers name the cover by its path.
        if node.get('name') == 'cover' and node.get('content') not in items:
            cover = book.members.find(node.get('content') or '', book.folder)
            if cover in ids:
                made.set('content', ids[cover])
    return out


def write(members, target, framed):
    """Writes the book anew. With `framed`, pictures in frames of SVG become pictures. False if it has no chapters."""
    book = Book(members)
    items, marks = items_of(book)
    spine = spine_of(book, items)
    if not spine:
        return False
    ids = {name: key for key, name in items.items()}
    for name, _ in spine:
        book.keep(name)
    package = package_of(book, items, spine, framed)
    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo('mimetype'), 'application/epub+zip')
        packed.writestr('META-INF/container.xml', CONTAINER)
        done = set()
        # Rewriting a file can find others that the manifest does not list.
        while rest := [name for name in book.names if name not in done]:
            for name in rest:
                packed.writestr(f'EPUB/{book.names[name]}', book.rewritten(name, framed), compresslevel=1)
                done.add(name)
        list_members(book, package, ids, marks)
        packed.writestr('EPUB/package.opf', etree.tostring(package, xml_declaration=True, encoding='utf-8'))
        garbled = members.find('META-INF/encryption.xml')
        if garbled:
            renamed = re.sub(r'URI="([^"]+)"', lambda match: f'URI="EPUB/{book.target(match[1], "")}"', plain(members.read(garbled)))
            packed.writestr('META-INF/encryption.xml', renamed)
    return True


def package_of(book, items, spine, framed):
    """The new package document, with an empty manifest."""
    was = book.root if book.root is not None else {}
    root = etree.Element(f'{{{OPF}}}package', nsmap={None: OPF})
    for key in ('version', 'unique-identifier', 'prefix', 'dir', '{http://www.w3.org/XML/1998/namespace}lang'):
        if was.get(key):
            root.set(key, was.get(key))
    root.set('version', was.get('version') if was.get('version') in ('2.0', '3.0') else '2.0')
    root.append(metadata_of(book, items, framed))
    etree.SubElement(root, f'{{{OPF}}}manifest')
    order = etree.SubElement(root, f'{{{OPF}}}spine')
    direction = next((node.get('page-progression-direction') for node in named(book.root, 'spine')), None)
    if direction:
        order.set('page-progression-direction', direction)
    ids = {name: key for key, name in items.items()}
    for index, (name, linear) in enumerate(spine):
        reference = etree.SubElement(order, f'{{{OPF}}}itemref', idref=ids.setdefault(name, f'chapter-{index}'))
        items.setdefault(ids[name], name)
        if linear:
            reference.set('linear', linear)
    guide = [(node, book.target(node.get('href') or '', book.folder)) for node in named(book.root, 'reference')]
    if any(to for _, to in guide):
        out = etree.SubElement(root, f'{{{OPF}}}guide')
        for node, to in guide:
            if to:
                etree.SubElement(out, f'{{{OPF}}}reference', type=node.get('type') or '', title=node.get('title') or '', href=to)
    return root


def list_members(book, package, ids, marks):
    """Fills the manifest, and names the table of contents."""
    manifest, order = package.find(f'{{{OPF}}}manifest'), package.find(f'{{{OPF}}}spine')
    used = {reference.get('idref') for reference in order}
    chapters = dict(zip([name for name in book.names], [None] * len(book.names)))
    for index, name in enumerate(chapters):
        key = ids.get(name) or f'found-{index}'
        kind = XHTML if key in used and book.types[name] not in MARKUP and is_chapter(name) else book.types[name]
        item = etree.SubElement(manifest, f'{{{OPF}}}item', {'id': key, 'href': book.names[name], 'media-type': kind})
        for mark, value in marks.get(name, {}).items():
            item.set(mark, value)
        if kind == NCX and not order.get('toc'):
            order.set('toc', key)
