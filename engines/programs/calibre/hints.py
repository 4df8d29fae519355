"""Options that tell calibre what it overlooks in a file."""

import os

from calibre.ebooks.metadata.meta import get_metadata

from text.charset import is_utf8, likely


def hints(folder, source):
    """Options for one source; files that they name are written to `folder`."""
    kind = source.rpartition('.')[2]
    if kind in ('txt', 'md'):
        return ['--input-encoding', 'utf-8' if is_utf8(pieces(source)) else charset_of(source)]
    if kind in ('txtz', 'pdb'):
        return said(folder, source, kind)
    return []


def pieces(path):
    """A whole text. calibre looks at the first 4 KiB only, which may be plain ASCII."""
    with open(path, 'rb') as file:
        while piece := file.read(1 << 20):
            yield piece


def charset_of(path):
    """The character set of a text that is not UTF-8, by its first megabyte."""
    with open(path, 'rb') as file:
        head = file.read(1 << 20)
    return 'utf-16' if head[:2] in (b'\xff\xfe', b'\xfe\xff') else likely(head)


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
