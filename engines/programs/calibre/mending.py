"""Patches for calibre. They apply to the child of one conversion only."""

import os
import re

from calibre.customize.builtins import FB2Output, PDFOutput
from calibre.ebooks.metadata import pdf
from calibre.ebooks.oeb.transforms.flatcss import CSSFlattener
from calibre.ebooks.oeb.transforms.metadata import MergeMetadata
from calibre.ebooks.rb import reader as rocket
from css_parser.css import PropertyValue

from text.charset import legible

UNTITLED = re.compile(r'(Unknown|index|file(\.[a-z0-9]{1,6})?|)$')


def mend(title):
    """Patches calibre in this process. `title` is for books without a title."""
    entitle(title)
    mend_rocket()
    mend_lists()
    mend_paper()
    pdf.fork_job = call


def entitle(title):
    """Sets the title of books without one, instead of `Unknown` or a file name that exists only in the sandbox."""
    merge = MergeMetadata.__call__

    def entitled(self, oeb, mi, *rest, **more):
        titles = oeb.metadata.title
        # A title from an option takes precedence.
        if mi.is_null('title') and (not titles or UNTITLED.match(str(titles[0]).strip())):
            mi.title = title
        return merge(self, oeb, mi, *rest, **more)

    MergeMetadata.__call__ = entitled


def mend_rocket():
    """Decodes Rocket eBooks as a whole, as UTF-8 if they are valid. calibre decodes pieces, always as Windows-1252."""
    read = rocket.Reader.get_text

    def get_text(self, item, folder):
        encoding, self.encoding = self.encoding, 'latin-1'
        read(self, item, folder)
        self.encoding = encoding
        path = item.flags not in (1, 2) and self.get_safe_path(folder, item.name.decode('utf-8'))
        if path and os.path.exists(path):
            with open(path, encoding='utf-8', newline='') as file:
                content = file.read().encode('latin-1')
            with open(path, 'w', encoding='utf-8', newline='') as file:
                file.write(legible(content))

    rocket.Reader.get_text = get_text


def mend_lists():
    """Writes bullets and numbers into the text for FictionBook, which has no lists."""
    convert = FB2Output.convert

    def converted(self, book, *rest):
        for item in book.spine:
            for marked in item.data.iter('{*}ul', '{*}ol'):
                mark_items(marked)
        return convert(self, book, *rest)

    FB2Output.convert = converted


def number_in(node, name, otherwise):
    """The whole number in an attribute of an element."""
    value = node.get(name, '')
    return int(value) if re.fullmatch(r'-?\d{1,9}', value) else otherwise


def mark_items(node):
    """Puts a bullet or a number in front of each item of a list."""
    number = number_in(node, 'start', 1)
    for item in node.iterchildren('{*}li'):
        number = number_in(item, 'value', number)
        mark = f'{number}. ' if node.tag.endswith('ol') else '\u2022 '
        number += 1
        # The mark belongs to the first line, which can be a paragraph of its own.
        line = item
        while not (line.text or '').strip() and len(line) and isinstance(line[0].tag, str):
            if line[0].tag.rpartition('}')[2] not in ('p', 'div', 'span', 'a', 'b', 'i', 'em', 'strong'):
                break
            line = line[0]
        line.text = mark + (line.text or '').lstrip()


def mend_paper():
    """For PDF, removes scripts, which the browser would run, and light colours behind pages, which would be boxes."""
    convert, specialise = PDFOutput.convert_text, PDFOutput.specialize_options
    flatten = CSSFlattener.flatten_node
    printing = []

    def converted(self, book):
        for item in book.spine:
            unscript(item.data)
        return convert(self, book)

    def flattened(self, node, stylizer, *rest, **more):
        if isinstance(node.tag, str) and node.tag.rpartition('}')[2] in ('html', 'body') and printing:
            style = stylizer.style(node)._style
            for name in ('background', 'background-color'):
                if is_light(style.get(name)):
                    del style[name]
        return flatten(self, node, stylizer, *rest, **more)

    def specialised(self, log, opts, *rest):
        printing.append(opts)
        return specialise(self, log, opts, *rest)

    PDFOutput.convert_text = converted
    CSSFlattener.flatten_node = flattened
    PDFOutput.specialize_options = specialised


def unscript(root):
    """Removes scripts and event handlers from a page."""
    for node in list(root.iter('{*}script')):
        remove(node)
    for node in root.iter('*'):
        for name, value in list(node.attrib.items()):
            if name.lower().startswith('on') or value.strip().lower().startswith('javascript:'):
                del node.attrib[name]


def remove(node):
    """Removes a node, but not the text after it."""
    parent, before = node.getparent(), node.getprevious()
    if node.tail and before is not None:
        before.tail = (before.tail or '') + node.tail
    elif node.tail:
        parent.text = (parent.text or '') + node.tail
    parent.remove(node)


def is_light(value):
    """Whether a CSS value is a light colour and nothing else."""
    try:
        parts = list(PropertyValue(value)) if value else []
        return len(parts) == 1 and min(parts[0].red, parts[0].green, parts[0].blue) > 200
    except Exception:
        return False  # Not a colour.


def call(module, name, arguments=(), **_):
    """Calls a function directly that calibre would run in another process to protect itself from its chdir."""
    before = os.getcwd()
    try:
        return {'result': getattr(pdf, name)(*arguments), 'stdout_stderr': os.devnull}
    finally:
        os.chdir(before)
