"""Books that cannot be read: locked ones, and those that are too large."""

import re
from xml.etree import ElementTree

from refusal.refusal import refuse

MOST = 1_000_000_000
MEMBERS = 20_000

# Obfuscated fonts are not locked: every reader can read them.
GARBLED = {'http://ns.adobe.com/pdf/enc#RC', 'http://www.idpf.org/2008/embedding'}
# Licences of Adobe and Barnes & Noble, Readium LCP, Apple and Kobo. Shops also leave them in books without a lock.
RIGHTS = {'META-INF/rights.xml', 'META-INF/license.lcpl', 'META-INF/sinf.xml', 'rights.xml'}
CHAPTER = re.compile(r'\.x?html?$', re.I)


def refuse_locked():
    refuse('The book is protected by DRM or a password', 'ENCRYPTED_INPUT')


def refuse_large():
    refuse('The book unpacks to more than 1 GB or 20,000 files', 'RESOURCE_LIMIT')


def read(book, member):
    """The content of a member. Without a number, Python would inflate more than its size is said to be."""
    with book.open(member) as file:
        return file.read(member.file_size + 1)


def garbled(book):
    """Names of the garbled members. Refuses a book with encrypted ones."""
    if 'META-INF/encryption.xml' not in book.namelist():
        return set()
    names = set()
    raw = read(book, book.getinfo('META-INF/encryption.xml'))
    if b'<!ENTITY' in raw:
        refuse('The encryption table of the book declares entities')
    for data in ElementTree.fromstring(raw).iter('{http://www.w3.org/2001/04/xmlenc#}EncryptedData'):
        method = data.find('{http://www.w3.org/2001/04/xmlenc#}EncryptionMethod')
        if method is None or method.get('Algorithm') not in GARBLED:
            refuse_locked()
        for reference in data.iter('{http://www.w3.org/2001/04/xmlenc#}CipherReference'):
            names.add(reference.get('URI'))
    return names


def is_markup(content):
    return b'<' in content[:1024] or '<'.encode('utf-16-le') in content[:1024]


def admitted(book):
    """Members of a book, and the names of those that are garbled. Refuses a book that is locked or too large."""
    members = [member for member in book.infolist() if not member.is_dir()]
    if any(member.flag_bits & 1 for member in members):
        refuse_locked()
    if len(members) > MEMBERS or sum(member.file_size for member in members) > MOST:
        refuse_large()
    if RIGHTS & set(book.namelist()):
        chapters = [member for member in members if CHAPTER.search(member.filename) and member.file_size]
        if not chapters or not all(is_markup(read(book, chapter)) for chapter in chapters):
            refuse_locked()
    return members, garbled(book)
