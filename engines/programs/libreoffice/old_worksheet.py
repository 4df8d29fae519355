"""Adds the code page to worksheets of Excel 2 to 5 that declare none: small programs write these, without a container."""

from page_setup import END, records
from text.charset import page_of

CODE_PAGE, LABELS = 0x42, (0x04, 0x204)  # MS-XLS §2.4.52, §2.4.148
TEXT = 8  # where a label's text begins
HEAD = 1 << 20  # bytes that are examined


def with_code_page(content):
    texts = []
    for kind, record in records(content[:HEAD], 0, END):
        if kind == CODE_PAGE:
            return content
        if kind in LABELS:
            texts.append(record[TEXT:])
    page = page_of(b"\n".join(texts))
    if page is None:
        return content
    start = 4 + content[2]
    return content[:start] + CODE_PAGE.to_bytes(2, "little") + b"\2\0" + page.to_bytes(2, "little") + content[start:]
