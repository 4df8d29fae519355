"""Makes an EPUB smaller without loss: `pack.py INPUT OUTPUT`, or `pack.py --check INPUT OUTPUT` to refuse only.

Members are compressed with deflate at its best, JPEG and PNG by lossless optimisers. They keep their names and order.
Encrypted members are copied unchanged.
"""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from refusal.refusal import refuse  # noqa: E402

MOST = 1_000_000_000
MEMBERS = 20_000
# Bytes of the largest picture that is optimised.
PICTURE = 50_000_000

# Obfuscated fonts are not locked: every reader can read them.
GARBLED = {'http://ns.adobe.com/pdf/enc#RC', 'http://www.idpf.org/2008/embedding'}
RIGHTS = {'META-INF/rights.xml', 'META-INF/license.lcpl', 'META-INF/sinf.xml'}


def refuse_locked():
    refuse('The book is protected by DRM or a password', 'ENCRYPTED_INPUT')


def refuse_large():
    refuse('The book unpacks to more than 1 GB or 20,000 files', 'RESOURCE_LIMIT')


def read(book, member):
    """The content of a member. Refuses one that is larger than a whole book may be."""
    with book.open(member) as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        refuse_large()
    return content


def garbled(book):
    """Names of the garbled members. Refuses a book with encrypted ones."""
    if 'META-INF/encryption.xml' not in book.namelist():
        return set()
    names = set()
    raw = read(book, 'META-INF/encryption.xml')
    if b'<!ENTITY' in raw:
        refuse('The encryption table of the book declares entities')
    for data in ElementTree.fromstring(raw).iter('{http://www.w3.org/2001/04/xmlenc#}EncryptedData'):
        method = data.find('{http://www.w3.org/2001/04/xmlenc#}EncryptionMethod')
        if method is None or method.get('Algorithm') not in GARBLED:
            refuse_locked()
        for reference in data.iter('{http://www.w3.org/2001/04/xmlenc#}CipherReference'):
            names.add(reference.get('URI'))
    return names


def smaller(name, content, folder):
    """A picture optimised without loss, or as it was when that is not smaller."""
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
        return content  # The optimiser is not installed, or refuses this picture.
    return made if 0 < len(made) < len(content) else content


def admitted(book):
    """Members of a book, and the names of those that are garbled. Refuses a book that is locked or too large."""
    members = [member for member in book.infolist() if not member.is_dir()]
    if any(member.flag_bits & 1 for member in members) or RIGHTS & set(book.namelist()):
        refuse_locked()
    if len(members) > MEMBERS or sum(member.file_size for member in members) > MOST:
        refuse_large()
    return members, garbled(book)


def check(source):
    """Refuses a book that is locked or too large."""
    with zipfile.ZipFile(source) as book:
        admitted(book)


def pack(source, target, folder):
    """Packs the book at `source` into `target`."""
    with zipfile.ZipFile(source) as book, zipfile.ZipFile(target, 'w') as packed:
        members, untouched = admitted(book)
        # Readers recognise an EPUB by its first member.
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
    """Packs a book. The output is the book itself when packing does not make it smaller."""
    with tempfile.TemporaryDirectory(dir='.') as folder:
        pack(source, target, Path(folder))
    if Path(target).stat().st_size >= Path(source).stat().st_size:
        Path(target).write_bytes(Path(source).read_bytes())


if __name__ == '__main__':
    check(sys.argv[2]) if sys.argv[1] == '--check' else main(*sys.argv[1:])
