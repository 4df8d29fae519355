"""Packs an EPUB anew: members compressed as far as deflate goes, JPEG and PNG by programs that lose nothing.

With `--check` in front it packs nothing. Prints `locked` or `large` and exits with 1 for a book that it must not or cannot pack. Members keep their names, their
order and their content but for the coding of pictures; those that are encrypted are copied as they are.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

MOST = 1_000_000_000
MEMBERS = 20_000
# A picture above this size is worth no program's memory.
PICTURE = 50_000_000

# Fonts that are only garbled are not locked; every reader knows how to read them.
GARBLED = {'http://ns.adobe.com/pdf/enc#RC', 'http://www.idpf.org/2008/embedding'}
RIGHTS = {'META-INF/rights.xml', 'META-INF/license.lcpl', 'META-INF/sinf.xml'}


class Refused(Exception):
    """Ends the program with one word that the engine understands."""


def read(book, member):
    """The content of a member, not above what all may hold."""
    with book.open(member) as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise Refused('large')
    return content


def garbled(book):
    """Names of the members that are encrypted. Refuses a book with any that are more than garbled."""
    if 'META-INF/encryption.xml' not in book.namelist():
        return set()
    names = set()
    raw = read(book, 'META-INF/encryption.xml')
    if b'<!ENTITY' in raw:
        raise Refused('broken')
    for data in ElementTree.fromstring(raw).iter('{http://www.w3.org/2001/04/xmlenc#}EncryptedData'):
        method = data.find('{http://www.w3.org/2001/04/xmlenc#}EncryptionMethod')
        if method is None or method.get('Algorithm') not in GARBLED:
            raise Refused('locked')
        for reference in data.iter('{http://www.w3.org/2001/04/xmlenc#}CipherReference'):
            names.add(reference.get('URI'))
    return names


def smaller(name, content, folder):
    """A picture coded anew without loss, where that is smaller."""
    kind = re.search(r'\.(jpe?g|png)$', name.lower())
    if not kind or len(content) > PICTURE:
        return content
    before, after = folder / 'before', folder / 'after'
    before.write_bytes(content)
    after.unlink(missing_ok=True)
    if kind[1] == 'png':
        command = ['optipng', '-quiet', '-o2', '-out', str(after), str(before)]
    else:
        command = ['jpegtran', '-copy', 'all', '-optimize', '-outfile', str(after), str(before)]
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        made = after.read_bytes()
    except (OSError, subprocess.CalledProcessError):
        return content  # Not there, or not for this picture.
    return made if 0 < len(made) < len(content) else content


def admitted(book):
    """Members of a book, and the names of those that are garbled. Refuses a book that is locked or too large."""
    members = [member for member in book.infolist() if not member.is_dir()]
    if any(member.flag_bits & 1 for member in members) or RIGHTS & set(book.namelist()):
        raise Refused('locked')
    if len(members) > MEMBERS or sum(member.file_size for member in members) > MOST:
        raise Refused('large')
    return members, garbled(book)


def check(source):
    """Only refuses."""
    with zipfile.ZipFile(source) as book:
        admitted(book)


def pack(source, target, folder):
    """Packs the book at `source` into `target`."""
    with zipfile.ZipFile(source) as book, zipfile.ZipFile(target, 'w') as packed:
        members, untouched = admitted(book)
        # Readers tell an EPUB by its first member.
        members.sort(key=lambda member: member.filename != 'mimetype')
        for member in members:
            name = member.filename
            content = read(book, member)
            if name not in untouched:
                content = smaller(name, content, folder)
            entry = zipfile.ZipInfo(name, date_time=member.date_time)
            entry.external_attr = 0o644 << 16
            shrinks = name != 'mimetype' and len(zlib.compress(content, 9)) - 6 < len(content)
            entry.compress_type = zipfile.ZIP_DEFLATED if shrinks else zipfile.ZIP_STORED
            packed.writestr(entry, content, compresslevel=9)


def main(source, target):
    """Packs, and gives the book back as it came where that is not smaller."""
    with tempfile.TemporaryDirectory(dir='.') as folder:
        pack(source, target, Path(folder))
    if Path(target).stat().st_size >= Path(source).stat().st_size:
        Path(target).write_bytes(Path(source).read_bytes())


if __name__ == '__main__':
    try:
        check(sys.argv[2]) if sys.argv[1] == '--check' else main(*sys.argv[1:])
    except Refused as refusal:
        print(refusal)
        sys.exit(1)
