"""Adds the code page to RTF that declares none, or only Western fonts: LibreOffice takes its letters for Western."""

import os
import re

from sheet_source import MOST
from text.charset import page_of

HEAD = 1 << 16  # bytes in which code pages are declared
SAMPLE = 1 << 18  # bytes whose letters are examined
FOREIGN = re.compile(rb"\\(?:fcharset0*[1-9]|mac(?![a-z])|pca?(?![a-z]))")
DECLARED = re.compile(rb"\\ansicpg(\d{1,5})(?!\d)")
WESTERN = re.compile(rb"\\fcharset0+(?![0-9])")  # Programs write it for all fonts.
START = re.compile(rb"\{\\rtf\d*(?:\\ansi(?![a-z]))?")
TOKEN = re.compile(rb"\\'([0-9a-fA-F]{2})|(\\(?:par|line|cell|tab)(?![a-z]))|\\[a-zA-Z]+-?\d* ?|\\.|[{}\r\n]", re.S)


def with_code_page(path, folder):
    """Returns the path of an RTF document, or of a copy in `folder` that declares what its letters tell."""
    with open(path, "rb") as file:
        start = START.match(head := file.read(HEAD))
        if not start or FOREIGN.search(head) or os.path.getsize(path) > MOST:
            return path
        content = head + file.read()
    text = TOKEN.sub(lambda one: bytes.fromhex((one[1] or b"").decode()) or one[2] and b"\n" or b"", content[:SAMPLE])
    page, declared = page_of(text), DECLARED.search(head)
    if page is None or declared and int(declared[1]) != page:
        return path
    copy = os.path.join(folder, os.path.basename(path))
    with open(copy, "wb") as file:
        file.write(b"%b\\ansicpg%d" % (start[0], page) + WESTERN.sub(b"", content[start.end() :]))
    return copy
