"""Import options for plain text: LibreOffice does not detect character sets."""

from text.charset import is_utf8

HEAD = 1 << 20  # bytes that are examined
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def text_options(source, spec):
    """FilterOptions if `spec["text"]`. Empty for others."""
    if not spec.get("text"):
        return {}
    with open(source, "rb") as file:
        head = file.read(HEAD)
    return {"FilterOptions": plain_charset(head)}


def plain_charset(head):
    if head.startswith(UTF16):
        return "UTF-16"
    return "UTF8" if is_utf8([head], len(head) < HEAD) else "MS_1252"
