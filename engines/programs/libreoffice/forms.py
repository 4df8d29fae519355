"""The forms in which files of Office until 2003 come."""

import re

HEAD = 1 << 16  # bytes that are looked at
CALC = "com.sun.star.sheet.SpreadsheetDocument"

# A worksheet of Excel 2 to 4 begins with its first record (MS-XLS §2.4.21 and before).
WORKSHEET = re.compile(rb"\x09[\x00\x02\x04]([\x04\x06])\x00")


def is_compound(path):
    """Whether a file is of the container that Office used until 2003 (MS-CFB §2.2)."""
    with open(path, "rb") as file:
        return file.read(8) == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def older_form(path, service):
    """The filter for XML of Office 2003, a worksheet of Excel 2 to 4, or a page with tables that is called a worksheet."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if service == CALC and WORKSHEET.match(head):
        return {"FilterName": "MS Excel 4.0"}
    text = head.replace(b"\0", b"")  # UTF-16 as well
    if b"urn:schemas-microsoft-com:office:spreadsheet" in text and re.search(rb"<(\w+:)?Workbook[\s>]", text):
        # The sturdier of two readers takes every file for UTF-8.
        said = re.search(rb"^[^<]*<\?xml[^>]*encoding=[\"'](?!utf)", text, re.IGNORECASE)
        return {"FilterName": "MS Excel 2003 XML" if said else "MS Excel 2003 XML Orcus"}
    if re.search(rb"<(\w+:)?wordDocument[\s>]", text):
        return {"FilterName": "MS Word 2003 XML"}
    page = service == CALC and re.search(rb"<(html|head|body|table|!doctype html|meta)[\s>]", text, re.IGNORECASE)
    # In English numbers; dates and the like stay as they are written.
    return {"FilterName": "calc_HTML_WebQuery", "FilterOptions": "1033 false"} if page else {}
