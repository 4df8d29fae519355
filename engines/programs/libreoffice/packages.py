"""Packages of office documents: ZIP files with parts in XML (ECMA-376 part 2; ODF 1.3 part 2)."""

import os
import re
import shutil
import sys
import zipfile

MOST = 200_000_000  # bytes of all members of a package whose checksums are compared
CHART = re.compile(r"(?:word|xl|ppt)/charts/chart\d*\.xml", re.I)
# Values that a chart keeps, without their number (ECMA-376 part 1, §21.2.2.201 and §21.2.2.122).
UNCOUNTED = re.compile(
    rb"<((?:\w+:)?)((?:str|num)(?:Cache|Lit))>\s*(?:<\1formatCode>[^<]*</\1formatCode>\s*)?"
    rb"(?=<\1pt\b)(?P<points>.*?)(?=</\1\2>|\Z)",
    re.S,
)


def replace_members(package, changed, path, names=()):
    """
    Writes a copy of a package, with new contents of the members in `changed`, and new names of those in `names`. Some
    libraries of .NET write the separator of Windows into the names.
    """
    names = dict(names)
    with zipfile.ZipFile(path, "w") as new:
        for item in package.infolist():
            name = names.get(item.filename, item.filename.replace("\\", "/"))
            member = zipfile.ZipInfo(name, item.date_time)
            member.compress_type, member.file_size = item.compress_type, item.file_size
            if item.filename in changed:
                new.writestr(member, changed[item.filename])
            else:
                with opened(package, item) as source, new.open(member, "w") as target:
                    shutil.copyfileobj(source, target)


def opened(package, item):
    """A member with its bytes, also if its checksum is wrong."""
    file = package.open(item)
    file._expected_crc = None
    return file


def bytes_of(package, item):
    """The bytes of a member, as `opened`. Without a number, Python would inflate more than its size is said to be."""
    with opened(package, item) as file:
        return file.read(item.file_size + 1)


def sound(path, folder):
    """
    Returns the path of a package, or of a copy below `folder` if a checksum is wrong, or a chart counts no values: LibreOffice
    would open what is left without that member, such as an empty workbook, and refuse a document with that chart.
    """
    with open(path, "rb") as file:
        if file.read(2) != b"PK":
            return path
    try:
        with zipfile.ZipFile(path) as package:
            if sum(item.file_size for item in package.infolist()) > MOST:
                return path
            charts = [item for item in package.infolist() if CHART.fullmatch(item.filename)]
            old = {item.filename: bytes_of(package, item) for item in charts}
            changed = {name: new for name, was in old.items() if (new := UNCOUNTED.sub(counted, was)) != was}
            if not changed and package.testzip() is None:
                return path
            copy = os.path.join(folder, "sound", os.path.basename(path))
            os.mkdir(os.path.dirname(copy))
            replace_members(package, changed, copy)
            return copy
    except Exception as error:  # LibreOffice can often read a damaged file as it is.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return path


def counted(found):
    """The values of a chart with their number."""
    most = max(map(int, re.findall(rb"""\bidx=["'](\d{1,6})["']""", found["points"])), default=0)
    head = found[0][: found.start("points") - found.start()]
    return b'%b<%bptCount val="%d"/>%b' % (head, found[1], most + 1, found["points"])
