"""Rewrites what LibreOffice does not understand in files of spreadsheets."""

import datetime
import os
import re
import zipfile

MOST = 50_000_000  # bytes of a file that is examined
BREAK = re.compile(rb"<text:line-break\s*/>")
SHAPE = re.compile(rb"<draw:(text-box|custom-shape|caption)\b")
MOMENT = re.compile(
    rb"""(<(?:\w+:)?Data\b[^>]*\bType=["'])DateTime(["'][^>]*>)(\d{4}-\d\d-\d\dT(?!00:00:00)\d\d:\d\d:\d\d(?:\.\d+)?)(?=<)"""
)


def rewrite(path):
    """Changes a file in place, if it needs it."""
    if os.path.getsize(path) > MOST:
        return
    if zipfile.is_zipfile(path):
        rewrite_package(path)
        return
    with open(path, "rb") as file:
        old = file.read()
    new = with_times(old) if b"schemas-microsoft-com:office:spreadsheet" in old[:65536] else with_breaks(old)
    if new != old:
        with open(path, "wb") as file:
            file.write(new)


def rewrite_package(path):
    with zipfile.ZipFile(path) as package:
        if "content.xml" not in package.namelist() or package.getinfo("content.xml").file_size > 4 * MOST:
            return
        old = package.read("content.xml")
        new = with_breaks(old)
        if new == old:
            return
        members = [(item, new if item.filename == "content.xml" else package.read(item)) for item in package.infolist()]
    with zipfile.ZipFile(path, "w") as package:
        for item, content in members:
            package.writestr(item, content)


def with_breaks(content):
    """Line breaks of cells as letters: LibreOffice 7 leaves out the elements. In shapes, it knows only these."""
    return content if SHAPE.search(content) else BREAK.sub(b"&#10;", content)


def with_times(content):
    """Dates with a time of Office 2003 XML as numbers: LibreOffice reads only their date."""
    return MOMENT.sub(lambda found: b"%bNumber%b%b" % (found[1], found[2], serial(found[3].decode())), content)


def serial(moment):
    """Days since the end of 1899, as Excel counts them: 1900 has a leap day."""
    days = (datetime.datetime.fromisoformat(moment[:19]) - datetime.datetime(1899, 12, 31)) / datetime.timedelta(days=1)
    return repr(days + 1 if days >= 60 else days).encode()
