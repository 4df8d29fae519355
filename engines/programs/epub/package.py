"""The package document of an EPUB, read as its author meant it."""

import html
import posixpath
import re

from lxml import etree

from text.charset import legible

# Characters that XML itself names.
OWN = {'amp', 'lt', 'gt', 'quot', 'apos'}
CHAPTERS = ('.xhtml', '.html', '.htm', '.xht', '.xml')
TYPES = {
    **{ending: 'application/xhtml+xml' for ending in ('.xhtml', '.html', '.htm', '.xht')},
    **{'.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.png': 'image/png', '.gif': 'image/gif', '.svg': 'image/svg+xml'},
    **{'.webp': 'image/webp', '.css': 'text/css', '.ncx': 'application/x-dtbncx+xml', '.otf': 'font/otf'},
    **{'.ttf': 'font/ttf', '.woff': 'font/woff', '.woff2': 'font/woff2', '.js': 'text/javascript', '.bmp': 'image/bmp'},
    **{'.mp3': 'audio/mpeg', '.mp4': 'video/mp4', '.m4a': 'audio/mp4', '.smil': 'application/smil+xml'},
}
DECLARATION = re.compile(r'^\s*<\?xml[^>]*\?>')
DOCTYPE = re.compile(r'<!DOCTYPE(?:[^<>\["\']|"[^"<]*+"|\'[^\'<]*+\')*(\[(?:(?!<!DOCTYPE).)*?\]\s*+)?>', re.I | re.S)
# libxml2 takes the square of the length of those with `--` in them. One that nothing closes is text.
COMMENT = re.compile(r'<!--.*?(?:-->|\Z)', re.S)
CHARSET = re.compile(rb'<\?xml[^>]{0,200}encoding\s*=\s*["\']([\w.:-]+)|<meta[^>]{0,200}charset\s*=\s*["\']?\s*([\w.:-]+)', re.I)


def text_of(content):
    """Markup as text, in the character set of its byte-order mark or declaration."""
    for mark, charset in ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16-le'), (b'\xfe\xff', 'utf-16-be')):
        if content.startswith(mark):
            return content[len(mark) :].decode(charset, 'replace')
    if content[:2] in (b'<\0', b'\0<'):
        return content.decode('utf-16-le' if content[:1] == b'<' else 'utf-16-be', 'replace')
    said = CHARSET.search(content[:2048])
    for charset in ('utf-8', *(name.decode() for name in (said.groups() if said else ()) if name)):
        try:
            return content.decode(charset)
        except (LookupError, UnicodeDecodeError):
            pass
    return legible(content)


def plain(content):
    """XML without a declaration, document type and named characters, which need a DTD."""
    text = text_of(content).replace('\0', '')
    text = DECLARATION.sub('', text)
    doctype = DOCTYPE.search(text)
    own = dict(re.findall(r'<!ENTITY\s+([\w.-]+)\s+["\']([^"\'&<]{0,200})["\']', doctype[1] or '')) if doctype else {}

    def character(match):
        name = match[1]
        if name in OWN:
            return match[0]
        return html.escape(own[name], False) if name in own else html.entities.html5.get(f'{name};', match[0])

    text = re.sub(r'&(?!#?\w[\w.-]{0,40};)', '&amp;', DOCTYPE.sub('', text, count=1))
    return re.sub(r'&([A-Za-z][\w.-]{0,40});', character, text).lstrip()


def tree(content):
    """The root of an XML document that may not be well-formed, or None."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    text = COMMENT.sub(lambda each: '' if each[0].endswith('-->') else each[0].replace('<!--', '&lt;!--'), plain(content))
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        return None


def local(node):
    """The name of an element without its prefix, in lower case."""
    return re.split(r'[}:]', node.tag)[-1].lower() if isinstance(node.tag, str) else ''


def named(node, *names):
    return [] if node is None else [other for other in node.iter() if local(other) in names]


def find_package(members):
    """The name of the first package document that exists, or None."""
    container = members.find('META-INF/container.xml')
    roots = named(tree(members.read(container)), 'rootfile') if container else []
    names = [members.find(root.get('full-path') or '') for root in roots]
    others = sorted((name for name in members.files if name.lower().endswith('.opf')), key=lambda name: name.count('/'))
    return next((name for name in [*names, *others] if name), None)


def type_of(name, said=''):
    """The media type of a member, by the ending of its name if that is known."""
    known = TYPES.get(posixpath.splitext(name)[1].lower())
    said = (said or '').strip().lower()
    if known and not (said.startswith('image/') and known.startswith('image/')):
        return known
    return 'application/xhtml+xml' if said in ('text/html', 'text/x-oeb1-document') else said or 'application/octet-stream'


def is_chapter(name):
    return name.lower().endswith(CHAPTERS) and not re.search(r'(^|/)(META-INF/|(nav|toc)\.x?html?$)', name)
