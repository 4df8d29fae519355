"""The members of an EPUB, found also by names that are not quite theirs."""

import posixpath
import re
import struct
import unicodedata
import zipfile
import zlib
from urllib.parse import unquote


def canonical(name):
    """A path without backslashes, empty parts, `.` and `..`."""
    parts = []
    for part in name.replace('\\', '/').split('/'):
        if part == '..':
            del parts[-1:]
        elif part not in ('', '.'):
            parts.append(part)
    return '/'.join(parts)


def folded(name):
    return unicodedata.normalize('NFC', name).casefold()


def is_remote(reference):
    return bool(re.match(r'\s*([a-z][a-z0-9+.-]+:|//|#|$)', reference, re.I))


class Members:
    """The files of a book by canonical name: functions that return their bytes."""

    def __init__(self, files):
        self.files = files
        self.exact = {unicodedata.normalize('NFC', name): name for name in files}
        self.close = {folded(name): name for name in reversed(files)}
        last = {}
        for name in files:
            last.setdefault(folded(posixpath.basename(name)), []).append(name)
        self.unique = {base: names[0] for base, names in last.items() if len(names) == 1}

    def find(self, reference, folder=''):
        """The name of the member that a reference from a file in `folder` means, or None."""
        path = re.split(r'[#?]', reference.strip())[0]
        # `%23` stands for a `#` in a name; some writers leave it bare.
        forms = [path, unquote(path), reference.strip(), unquote(reference.strip())]
        for place in (folder, ''):
            for index in (self.exact, self.close):
                for form in forms:
                    name = canonical(f'{place}/{form}')
                    found = index.get(folded(name) if index is self.close else unicodedata.normalize('NFC', name))
                    if found:
                        return found
        return self.unique.get(folded(posixpath.basename(canonical(unquote(path))))) if path else None

    def read(self, name):
        return self.files[name]()


def name_of(entry):
    """The name of an entry. Many writers use UTF-8 without saying so."""
    if not entry.flag_bits & 0x800:
        try:
            return entry.orig_filename.encode('cp437').decode('utf8')
        except UnicodeError:
            pass
    return entry.orig_filename


def listed(book, entries):
    """The members that the directory of a zip lists."""

    def reader(entry):
        def read():
            with book.open(entry) as file:
                file._expected_crc = None  # A damaged picture is no reason to refuse a book.
                return file.read(entry.file_size + 1)  # Else Python would inflate more than that.

        return read

    return Members({canonical(name_of(entry)): reader(entry) for entry in entries})


def scanned(path, most):
    """The members of a zip whose directory is missing or damaged, by their own headers. `most` bytes are read."""
    with open(path, 'rb') as file:
        data = file.read(most)
    files, at = {}, 0
    while most > 0 and (at := data.find(b'PK\3\4', at)) >= 0:
        if at + 30 > len(data):
            break
        flags, method, _, _, size, _, length, extra = struct.unpack('<HHIIIIHH', data[at + 6 : at + 30])
        start = at + 30 + length + extra
        name = canonical(data[at + 30 : at + 30 + length].decode('utf8', 'replace'))
        content = piece(data, start, method, size, most)
        most -= len(content or b'')
        if name and content is not None and not flags & 1:
            files.setdefault(name, lambda content=content: content)
        at += 4
    return Members(files)


# Bytes that are decompressed at once. zlib copies all that follows the end of a member.
CHUNK = 65_536


def piece(data, start, method, size, most):
    """The content of the member whose data begins at `start`, or None if it is damaged."""
    if method == zipfile.ZIP_STORED:
        return data[start : start + size] if size else data[start : max(start, data.find(b'PK', start))]
    if method != zipfile.ZIP_DEFLATED:
        return None
    inflater, found = zlib.decompressobj(-15), []
    try:
        for at in range(start, len(data), CHUNK):
            found.append(inflater.decompress(data[at : at + CHUNK], most))
            most -= len(found[-1])
            if inflater.eof or most <= 0:
                break
    except zlib.error:
        return None
    return b''.join(found)
