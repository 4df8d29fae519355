"""Finds out whether a file is locked by DRM or a password. calibre overlooks many locks and reads gibberish."""

import zipfile

# Compression of Mobipocket: none, and that of Palm documents.
PLAIN, PALM = 1, 2
NOTHING = 0xFFFFFFFF


def is_locked(path):
    """Whether a book, a document or a zip needs a key or a password."""
    with open(path, 'rb') as file:
        head = file.read(64 * 1024)
        kind = head[60:68]
        if kind in (b'BOOKMOBI', b'TEXtREAd'):
            return is_locked_mobi(file, head)
        if head[:3] == b'TPZ':  # Topaz: the key of the book is in its header.
            return b'dkey' in head
        # Kindle's format of 2015, and the Sony Reader's locked one.
        if b'\xeaDRMION\xee' in head or head[:6] == b'L\0R\0X\0':
            return True
        if head[:4] == b'\xd0\xcf\x11\xe0':
            file.seek(4)
            return 'EncryptedPackage'.encode('utf-16-le') in file.read(16 * 1024 * 1024)
    return head[:4] == b'PK\x03\x04' and is_locked_zip(path)


def number(data, at, size=4):
    return int.from_bytes(data[at : at + size], 'big')


def is_locked_mobi(file, head):
    """Whether a Palm document or Mobipocket file names a kind of encryption, or rights without which it is unreadable."""
    file.seek(number(head, 78))
    first = file.read(256)
    encryption = number(first, 12, 2)
    if first[16:20] != b'MOBI':
        # In Palm documents without a lock, this is a position in the text.
        return head[60:64] == b'TEXt' and first[12:16] in (b'\0\1\0\0', b'\0\2\0\0')
    if encryption:
        return True
    length, offset, count, size = number(first, 20), number(first, 168), number(first, 172), number(first, 176)
    if length < 168 or offset in (0, NOTHING) or count in (0, NOTHING) or size in (0, NOTHING):
        return False
    start, end = number(head, 86), number(head, 94)
    file.seek(start)
    return not is_text(file.read(max(0, min(4096, end - start))), number(first, 0, 2))


def is_text(record, compression):
    """Whether the first record of a book is text or markup."""
    if compression == PALM:
        from calibre.ebooks.compression.palmdoc import decompress_doc

        try:
            record = decompress_doc(record)
        except Exception:
            return False
    elif compression != PLAIN:
        return False
    controls = sum(byte < 9 or 13 < byte < 32 for byte in record[:2000])
    return controls * 50 < len(record[:2000])


def is_locked_zip(path):
    """Whether members of a zip have a password, or an OpenDocument file is encrypted."""
    try:
        with zipfile.ZipFile(path) as members:
            if any(member.flag_bits & 1 for member in members.infolist()):
                return True
            if 'META-INF/manifest.xml' not in members.namelist():
                return False
            with members.open('META-INF/manifest.xml') as manifest:
                return b'encryption-data' in manifest.read(4 * 1024 * 1024)
    except Exception:
        return False  # calibre will report what is wrong.
