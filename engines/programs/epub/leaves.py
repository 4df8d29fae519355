"""Books with a fixed layout (EPUB 3.3, §8.2): each part is a page of a stated size, which a browser prints."""

import hashlib
import html
import io
import re
import zipfile
from collections import Counter
from pathlib import Path

from lxml import etree

from package import local, named, tree

HTML = 'http://www.w3.org/1999/xhtml'
OTHERS = {'svg': 'http://www.w3.org/2000/svg', 'math': 'http://www.w3.org/1998/Math/MathML'}
FOLDER = 'EPUB'
PAGE = '@page{size:%gpx %gpx !important;margin:%s !important}'
WHOLE = 'body{margin:0}body>*{display:block;border:0;width:100vw;height:100vh;object-fit:contain}'
# CSS pixels of a side, at least and at most: Chromium prints no larger pages.
SHORTEST, LONGEST = 16, 14_400
# Parts that are printed one by one, at most.
MOST = 1000
# How many bytes of a font are garbled, and how many of its key there are (EPUB 3.3, §4.4; Adobe's own way).
IDPF, ADOBE = 'http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'


def split(source, pattern):
    """
    Unpacks a book that `clean.py` wrote, with a page for each part, named by the pattern. Returns how many there are: 0
    if too few parts are pages of a fixed layout, no size is stated, or there are too many parts.
    """
    with zipfile.ZipFile(source) as book:
        package = tree(book.read(f'{FOLDER}/package.opf'))
        parts = parts_of(package)
        stays = sum(fixed for _, _, fixed in parts)
        if not stays or 2 * stays < len(parts) or len(parts) > MOST:
            return 0
        whole = stated(package)
        sizes = [size_of(book.read(f'{FOLDER}/{name}'), kind) or whole for name, kind, _ in parts]
        if not any(sizes):
            return 0
        usual = Counter(filter(None, sizes)).most_common(1)[0][0]
        unpack(book, package, Path(pattern).parent)
        for number, ((name, kind, fixed), size) in enumerate(zip(parts, sizes), 1):
            content = book.read(f'{FOLDER}/{name}')
            write_page(Path(pattern % number), content, kind, name, size if fixed and size else usual, fixed)
    return len(parts)


def parts_of(package):
    """The name, the type, and whether the layout is fixed, of each part in reading order."""
    items = {item.get('id'): item for item in named(package, 'item')}
    metas = [(node.get('property') or node.get('name'), node.get('content') or node.text or '') for node in named(package, 'meta')]
    whole = ('rendition:layout', 'pre-paginated') in metas or ('fixed-layout', 'true') in metas
    parts = []
    for reference in named(package, 'itemref'):
        item, own = items[reference.get('idref')], (reference.get('properties') or '').split()
        fixed = 'rendition:layout-pre-paginated' in own or (whole and 'rendition:layout-reflowable' not in own)
        parts.append((item.get('href'), item.get('media-type'), fixed))
    return parts


def stated(package):
    """The size that a book states for all of its pages: an older EPUB, or Amazon's."""
    for node in named(package, 'meta'):
        if 'rendition:viewport' in (node.get('property'), node.get('name')):
            return viewport(node.get('content') or node.text or '')
        if node.get('name') == 'original-resolution':
            return sides(*re.findall(r'\d+', node.get('content') or '')[:2])
    return None


def viewport(said):
    found = (re.search(rf'\b{side}\s*=[\s"\']*([\d.]+)', said, re.I) for side in ('width', 'height'))
    return sides(*(match and match[1] for match in found))


def sides(width=None, height=None):
    try:
        size = float(width), float(height)
    except (TypeError, ValueError):
        return None
    return size if all(SHORTEST <= side <= LONGEST for side in size) else None


def size_of(content, kind):
    """The width and height of a part in CSS pixels, or None if it states none."""
    if kind.startswith('image/') and kind != 'image/svg+xml':
        from PIL import Image

        try:
            return sides(*Image.open(io.BytesIO(content)).size)
        except (OSError, Image.DecompressionBombError):
            return None
    root = tree(content)
    if kind == 'image/svg+xml':
        box = re.split(r'[\s,]+', (root.get('viewBox') or '').strip()) if root is not None else []
        return sides(*box[2:4]) if len(box) == 4 else sides(*(root.get(side, '').removesuffix('px') for side in ('width', 'height')))
    said = [node.get('content') or '' for node in named(root, 'meta') if (node.get('name') or '').lower() == 'viewport']
    return viewport(said[0]) if said else None


def write_page(path, content, kind, name, size, fixed):
    """Writes a part as a page of XHTML that is printed in one size."""
    style = PAGE % (*size, '0' if fixed else '5%')
    if kind == 'application/xhtml+xml':
        root = tree(content)
        if root is None:
            root = etree.Element(f'{{{HTML}}}html')
        if not fixed:
            etree.SubElement(next(iter(named(root, 'head')), root), f'{{{HTML}}}style').text = style
            path.write_bytes(well_formed(root))
            return
        # A frame cuts what is too large, as readers do. On paper it would flow to a second page.
        frame = path.with_suffix('.frame.xhtml')
        frame.write_bytes(well_formed(root))
        shown = f'<iframe src="{frame.name}"/>'
    elif kind == 'image/svg+xml':
        root = tree(content)
        shown = '' if root is None else well_formed(root).decode()
    else:
        shown = f'<img src="{html.escape(name)}" alt=""/>'
    path.write_text(f'<html xmlns="{HTML}"><head><title/><style>{style}{WHOLE}</style></head><body>{shown}</body></html>', 'utf8')


def well_formed(root):
    """Markup that a browser shows: each element has a namespace, and no name a prefix that nothing declares."""
    for node in root.iter('*'):
        if '}' not in node.tag:
            above = node.getparent()
            outer = HTML if above is None else etree.QName(above).namespace
            node.tag = f'{{{OTHERS.get(local(node), outer)}}}{node.tag.rpartition(":")[2] or "span"}'
        for key in [key for key in node.keys() if ':' in key and '}' not in key]:
            value = node.attrib.pop(key)
            if key.endswith(':href'):
                node.set('href', value)
    return etree.tostring(root, encoding='utf-8')


def unpack(book, package, folder):
    """Writes the members, which are all in one folder, with legible fonts."""
    keys = keys_of(book, package)
    for name in book.namelist():
        if name.startswith(f'{FOLDER}/'):
            content = book.read(name)
            (folder / Path(name).name).write_bytes(clear(content, *keys[name]) if name in keys else content)


def keys_of(book, package):
    """The key of each garbled font, and how many of its bytes are garbled."""
    if 'META-INF/encryption.xml' not in book.namelist():
        return {}
    whole = [''.join(node.itertext()) for node in named(package, 'identifier') if node.get('id') == package.get('unique-identifier')]
    own = re.sub(r'\s', '', whole[0]) if whole else ''
    digits = re.sub(r'[^0-9a-f]', '', own.lower().removeprefix('urn:uuid:'))
    keys = {IDPF: (hashlib.sha1(own.encode()).digest(), 1040), ADOBE: (bytes.fromhex(digits[: len(digits) // 2 * 2]), 1024)}
    found = {}
    for data in named(tree(book.read('META-INF/encryption.xml')), 'encrypteddata'):
        method = next((node.get('Algorithm') for node in named(data, 'encryptionmethod')), None)
        if method in keys and keys[method][0]:
            found |= {node.get('URI'): keys[method] for node in named(data, 'cipherreference')}
    return found


def clear(content, key, length):
    return bytes(byte ^ key[at % len(key)] for at, byte in enumerate(content[:length])) + content[length:]
