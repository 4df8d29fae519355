"""The cover of a book, which pandoc puts in front of the page that shows it already."""

from package import named


def hide_cover(book, package, items, marks, spine):
    """Leaves the mark of the cover out of a package if one of the first two pages shows that picture."""
    metas = [node for node in named(package, 'meta') if node.get('name') == 'cover']
    marked = [name for name, mark in marks.items() if 'cover-image' in mark.get('properties', '').split()]
    covers = {items.get(node.get('content')) for node in metas} | set(marked)
    for cover in covers & set(book.names):
        if any(f'"{book.names[cover]}"'.encode() in book.rewritten(page, True) for page, _ in spine[:2]):
            for node in metas:
                node.getparent().remove(node)
            for name in marked:
                marks[name]['properties'] = ''
            return
