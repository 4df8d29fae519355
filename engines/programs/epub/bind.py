"""Binds the printed pages of a book with a fixed layout: `bind.py BOOK OUTPUT PATTERN`."""

import os
import sys
import zipfile

import pikepdf

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from leaves import FOLDER, parts_of  # noqa: E402
from package import named, tree  # noqa: E402

NOTES = {'title': '/Title', 'creator': '/Author', 'subject': '/Subject'}


def main(source, target, pattern):
    with zipfile.ZipFile(source) as book, pikepdf.new() as bound:
        package = tree(book.read(f'{FOLDER}/package.opf'))
        starts = {}
        for number, (name, _, fixed) in enumerate(parts_of(package), 1):
            starts.setdefault(name, len(bound.pages))
            with pikepdf.open(pattern % number) as printed:
                # What flows out of a page of a fixed size is not shown by readers either.
                bound.pages.extend(printed.pages[:1] if fixed else printed.pages)
        for term, key in NOTES.items():
            said = [text for text in (''.join(node.itertext()).strip() for node in named(package, term)) if text]
            if said:
                bound.docinfo[key] = '; '.join(said)
        if any(node.get('page-progression-direction') == 'rtl' for node in named(package, 'spine')):
            bound.Root.ViewerPreferences = pikepdf.Dictionary(Direction=pikepdf.Name.R2L)
        with bound.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(title, starts[name]) for title, name in chapters(book, package) if name in starts)
        bound.save(target)


def chapters(book, package):
    """The titles and parts that the table of contents lists."""
    navs = [item.get('href') for item in named(package, 'item') if 'nav' in (item.get('properties') or '').split()]
    tables = navs or [item.get('href') for item in named(package, 'item') if item.get('media-type') == 'application/x-dtbncx+xml']
    if not tables:
        return []
    root = tree(book.read(f'{FOLDER}/{tables[0]}'))
    if not navs:
        points = [(named(point, 'text'), named(point, 'content')) for point in named(root, 'navpoint')]
        return [(text_of(text[0]), content[0].get('src', '').split('#')[0]) for text, content in points if text and content]
    lists = [nav for nav in named(root, 'nav') if 'toc' in [value for key, value in nav.items() if key.endswith('type')]]
    return [(text_of(link), (link.get('href') or '').split('#')[0]) for link in named(lists[0] if lists else None, 'a')]


def text_of(node):
    return ' '.join(''.join(node.itertext()).split())


if __name__ == '__main__':
    main(*sys.argv[1:])
