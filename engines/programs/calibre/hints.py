"""Options that tell calibre what it overlooks in a file."""

import os

from calibre.ebooks.metadata.meta import get_metadata

from text.charset import is_utf8


def hints(folder, source):
    """Options for one source; files that they name are written to `folder`."""
    kind = source.rpartition('.')[2]
    if kind in ('txt', 'md'):
        return ['--input-encoding', 'utf-8'] if is_utf8(pieces(source)) else []
    if kind in ('txtz', 'pdb'):
        return said(folder, source, kind)
    return []


def pieces(path):
    """A whole text. calibre looks at the first 4 KiB only, which may be plain ASCII."""
    with open(path, 'rb') as file:
        while piece := file.read(1 << 20):
            yield piece


def said(folder, source, kind):
    """Title, authors and cover from the metadata of a file."""
    with open(source, 'rb') as stream:
        book = get_metadata(stream, kind)
    options = []
    if book.title and book.title not in ('Unknown', 'file'):
        # A Palm database has no spaces in its name.
        options += ['--title', book.title.replace('_', ' ') if kind == 'pdb' else book.title]
    if book.authors and book.authors != ['Unknown']:
        options += ['--authors', ' & '.join(book.authors)]
    cover = (getattr(book, 'cover_data', None) or (None, None))[1]
    if cover:
        path = os.path.join(folder, 'cover')
        with open(path, 'wb') as file:
            file.write(cover)
        options += ['--cover', path]
    return options
