"""Writes the package document of a book anew, with the names that the standard gives."""

import re

from lxml import etree

from package import is_chapter, local, named

OPF, DC = 'http://www.idpf.org/2007/opf', 'http://purl.org/dc/elements/1.1/'
XHTML, NCX = 'application/xhtml+xml', 'application/x-dtbncx+xml'
MARKUP = (XHTML, NCX, 'image/svg+xml', 'application/smil+xml')
TERMS = set(
    'title creator subject description publisher contributor date type format identifier source language relation coverage rights'.split()
)


def is_noise(name, node):
    """Whether metadata is about the program that wrote the book, or says nothing."""
    text = ''.join(node.itertext()).strip()
    made = name == 'identifier' and (node.get('id') or node.get('scheme') or '').lower().startswith(('uuid', 'calibre'))
    return made or (name == 'contributor' and text.startswith('calibre')) or text in ('Unknown', 'und', 'urn:help')


def metadata_of(book, items, framed):
    """The metadata element, with the names that the standard gives."""
    out = etree.Element(f'{{{OPF}}}metadata', nsmap={None: OPF, 'dc': DC, 'opf': OPF})
    ids = {name: key for key, name in items.items()}
    nodes = [part for meta in named(book.root, 'metadata') for part in meta.iter()]
    # Pandoc reads authors and other repeated facts from the last to the first.
    for node in reversed(nodes) if framed else nodes:
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
            cover = book.same.get(node.get('content') or '') or book.members.find(node.get('content') or '', book.folder)
            if cover in ids:
                made.set('content', ids[cover])
    return out


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
    for index, (name, said) in enumerate(spine):
        etree.SubElement(order, f'{{{OPF}}}itemref', {'idref': ids.setdefault(name, f'chapter-{index}'), **said})
        items.setdefault(ids[name], name)
    guide = [(node, book.target(node.get('href') or '', book.folder)) for node in named(book.root, 'reference')]
    if any(to for _, to in guide):
        out = etree.SubElement(root, f'{{{OPF}}}guide')
        for node, to in guide:
            if to:
                etree.SubElement(out, f'{{{OPF}}}reference', type=node.get('type') or '', title=node.get('title') or '', href=to)
    return root


def list_members(book, package, items, marks):
    """Fills the manifest, and names the table of contents."""
    manifest, order = package.find(f'{{{OPF}}}manifest'), package.find(f'{{{OPF}}}spine')
    used = {reference.get('idref') for reference in order}
    ids = {name: key for key, name in items.items()}
    for index, name in enumerate(book.names):
        key = ids.get(name) or f'found-{index}'
        kind = XHTML if key in used and book.types[name] not in MARKUP and is_chapter(name) else book.types[name]
        item = etree.SubElement(manifest, f'{{{OPF}}}item', {'id': key, 'href': book.names[name], 'media-type': kind})
        for mark, value in marks.get(name, {}).items():
            if value:
                item.set(mark, value)
        if kind == NCX and not order.get('toc'):
            order.set('toc', key)
