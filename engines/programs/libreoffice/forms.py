"""Variants of Office files until 2003."""

import re

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # MS-CFB §2.2
OLD_WORD = (b"\xdb\xa5", b"\x9b\xa5")  # Word 2 and 1 for Windows
HEAD = 1 << 16  # bytes that are examined
TEXT = "com.sun.star.text.TextDocument"
CALC = "com.sun.star.sheet.SpreadsheetDocument"

# The first record of a worksheet of Excel 2 to 5 (MS-XLS §2.4.21 and earlier).
WORKSHEET = re.compile(rb"\x09[\x00\x02\x04\x08]([\x04\x06\x08])\x00")


def is_compound(path):
    """Whether a file is a compound file, the container of Office until 2003 (MS-CFB §2.2)."""
    with open(path, "rb") as file:
        return file.read(8) == COMPOUND


def older_form(path, service):
    """The filter for Office 2003 XML, Word 1 and 2, Excel 2 to 5, or an HTML page with tables named as a spreadsheet."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if service == CALC and WORKSHEET.match(head):
        return {"FilterName": "MS Excel 4.0"}
    if service == TEXT and head.startswith(OLD_WORD):
        return {"FilterName": "MS WinWord 5"}
    text = head.replace(b"\0", b"")  # also finds UTF-16
    if b"urn:schemas-microsoft-com:office:spreadsheet" in text and re.search(rb"<(\w+:)?Workbook[\s>]", text):
        return {"FilterName": "MS Excel 2003 XML"}
    if re.search(rb"<(\w+:)?wordDocument[\s>]", text):
        return {"FilterName": "MS Word 2003 XML"}
    page = service == CALC and re.search(rb"<(html|head|body|table|!doctype html|meta)[\s>]", text, re.IGNORECASE)
    # Numbers in English notation; dates and the like stay text.
    return {"FilterName": "calc_HTML_WebQuery", "FilterOptions": "1033 false"} if page else {}
