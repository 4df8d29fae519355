"""Whether an Office document from before 2007 is encrypted."""

import olefile

WORD_ENCRYPTED = 0x0100  # FibBase.fEncrypted (MS-DOC §2.5.2)
FILE_PASS = 0x002F  # MS-XLS §2.4.117
POWERPOINT_ENCRYPTED = b"\xdf\xc4\xd1\xf3"  # CurrentUserAtom.headerToken (MS-PPT §2.3.2)
RECORDS = 64  # FilePass is one of the first records


def is_locked_compound(path):
    """Returns False if the file cannot be read."""
    try:
        if not olefile.isOleFile(path):
            return False
        with olefile.OleFileIO(path) as file:
            return file.exists("EncryptedPackage") or word(file) or excel(file) or powerpoint(file)
    except Exception:  # Damaged files fail in many ways.
        return False


def word(file):
    if not file.exists("WordDocument"):
        return False
    return bool(int.from_bytes(file.openstream("WordDocument").read(12)[10:12], "little") & WORD_ENCRYPTED)


def excel(file):
    name = next((name for name in ("Workbook", "Book") if file.exists(name)), None)
    stream = file.openstream(name) if name else None
    for _ in range(RECORDS if stream else 0):
        head = stream.read(4)
        if len(head) < 4:
            return False
        kind, size = int.from_bytes(head[:2], "little"), int.from_bytes(head[2:], "little")
        if kind == FILE_PASS:
            return True
        stream.seek(size, 1)
    return False


def powerpoint(file):
    if file.exists("EncryptedSummary"):
        return True
    return file.exists("Current User") and file.openstream("Current User").read(16)[12:16] == POWERPOINT_ENCRYPTED
