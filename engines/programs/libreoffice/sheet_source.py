"""Rewrites what LibreOffice does not understand in files of spreadsheets."""

import datetime
import os
import re
import zipfile

from forms import WORKSHEET
from packages import bytes_of, replace_members
from page_setup import END, records
from text.charset import page_of

MOST = 50_000_000  # bytes of a file that is examined
BREAK = re.compile(rb"<text:line-break\s*/>")
SHAPE = re.compile(rb"<draw:(text-box|custom-shape|caption)\b")
# One group for all attributes: with more, the search would take the cube of the length.
DATA = re.compile(
    rb"""(<(?:\w+:)?Data\b)([^<>]*)>(\d{4}-\d\d-\d\dT(?!00:00:00)\d\d:\d\d:\d\d(?:\.\d+)?)(?=<)"""
)
RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^<>]*>(?:\s*</(?:\w+:)?Relationship>)?")
PIVOT = re.compile(rb"/pivotTable[\"']")
RELATIONS = re.compile(r"xl[/\\]worksheets[/\\]_rels[/\\][^/\\]+\.rels", re.I)
CODE_PAGE, LABELS, TEXT = 0x42, (0x04, 0x204), 8  # MS-XLS §2.4.52, §2.4.148; where a label's text begins
HEAD = 1 << 20  # bytes in which labels are looked for
DATE = re.compile(rb"""(\bType=["'])DateTime(?=["'])""")


def rewrite(path, live):
    """Changes a file in place, if it needs it. Pivot tables stay `live` in the formats that have them."""
    if os.path.getsize(path) > MOST:
        return
    if zipfile.is_zipfile(path):
        rewrite_package(path, live)
        return
    with open(path, "rb") as file:
        old = file.read()
    new = rewritten(old)
    if new != old:
        with open(path, "wb") as file:
            file.write(new)


def rewritten(content):
    """XML of Excel 2003 and OpenDocument are known by their namespaces. Other files, and UTF-16, stay as they are."""
    head = content[:65536]
    if WORKSHEET.match(head):
        return with_code_page(content)
    if b"schemas-microsoft-com:office:spreadsheet" in head:
        return with_times(content)
    return with_breaks(content) if b"urn:oasis:names:tc:opendocument" in head else content


def rewrite_package(path, live):
    """Replaces the file only when all members are copied: a damaged one raises BadZipFile."""
    with zipfile.ZipFile(path) as package:
        names = package.namelist()
        changes = {"content.xml": with_breaks} if "content.xml" in names else {}
        if not live:
            changes |= dict.fromkeys(filter(RELATIONS.fullmatch, names), without_pivots)
        changed = {}
        for name, change in changes.items():
            if package.getinfo(name).file_size <= 4 * MOST:
                old = bytes_of(package, package.getinfo(name))
                new = change(old)
                if new != old:
                    changed[name] = new
        if not changed and not any("\\" in name for name in names):
            return
        replace_members(package, changed, f"{path}.new")
    os.replace(f"{path}.new", path)


def without_pivots(relations):
    """A worksheet without pivot tables keeps their cells as they are. LibreOffice would lay them out anew, in its own way."""
    return RELATION.sub(lambda found: b"" if PIVOT.search(found[0]) else found[0], relations)


def with_breaks(content):
    """Line breaks of cells as letters: LibreOffice 7 leaves out the elements. In shapes, it knows only these."""
    return content if SHAPE.search(content) else BREAK.sub(b"&#10;", content)


def with_times(content):
    """Dates with a time of Office 2003 XML as numbers: LibreOffice reads only their date."""
    return DATA.sub(as_number, content)


def as_number(found):
    attributes, moments = DATE.subn(rb"\1Number", found[2], count=1)
    try:
        return b"%b%b>%b" % (found[1], attributes, serial(found[3].decode())) if moments else found[0]
    except ValueError:  # No such day or hour.
        return found[0]


def serial(moment):
    """Days since the end of 1899, as Excel counts them: 1900 has a leap day."""
    days = (datetime.datetime.fromisoformat(moment[:19]) - datetime.datetime(1899, 12, 31)) / datetime.timedelta(days=1)
    return repr(days + 1 if days >= 60 else days).encode()


def with_code_page(content):
    """Worksheets of Excel 2 to 5 that declare no code page with one: small programs write these, without a container."""
    found = list(records(content[:HEAD], 0, END))
    page = page_of(b"\n".join(record[TEXT:] for kind, record in found if kind in LABELS))
    if page is None or any(kind == CODE_PAGE for kind, _ in found):
        return content
    start = 4 + content[2]
    return content[:start] + CODE_PAGE.to_bytes(2, "little") + b"\2\0" + page.to_bytes(2, "little") + content[start:]
