"""Options that tell calibre what it overlooks in a file."""

import codecs
import os

from calibre.ebooks.metadata.meta import get_metadata


def hints(folder, source):
    """Options for one source; `folder` takes what they point at."""
    kind = source.rpartition('.')[2]
    if kind in ('txt', 'md'):
        return ['--input-encoding', 'utf-8'] if is_utf8(source) else []
    if kind in ('txtz', 'pdb'):
        return said(folder, source, kind)
    return []


def is_utf8(path):
    """Whether a whole text is UTF-8. calibre looks at its first 4 KiB, where other letters need not occur yet."""
    decoder = codecs.getincrementaldecoder('utf-8')()
    try:
        with open(path, 'rb') as file:
            while chunk := file.read(1 << 20):
                decoder.decode(chunk)
            decoder.decode(b'', final=True)
        return True
    except UnicodeDecodeError:
        return False


def said(folder, source, kind):
    """Title, authors and cover that a file says beside its text."""
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
