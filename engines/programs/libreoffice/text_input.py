"""Import options for texts: LibreOffice does not detect character sets and separators."""

from text.charset import is_utf8

HEAD = 1 << 20  # bytes that are examined
SEPARATORS = b",;\t|"
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def text_options(source, spec):
    """FilterOptions for `spec["text"]`: `plain` for text, `table` for separated values. Empty for others."""
    kind = spec.get("text")
    if not kind:
        return {}
    with open(source, "rb") as file:
        head = file.read(HEAD)
    if kind == "plain":
        return {"FilterOptions": plain_charset(head)}
    return {"FilterOptions": f"{separator(head)},34,{table_charset(head)},1,,1033,false,true,false"}


def plain_charset(head):
    if head.startswith(UTF16):
        return "UTF-16"
    return "UTF8" if is_utf8([head], len(head) < HEAD) else "MS_1252"


def table_charset(head):
    """The filter's numbers of character sets: 76 is UTF-8, 65535 is UTF-16, 1 is Windows-1252."""
    if head.startswith(UTF16):
        return 65535
    return 76 if is_utf8([head], len(head) < HEAD) else 1


def separator(head):
    """The character code of the separator that is most frequent outside quotes in the first lines."""
    lines = head.split(b"\n")[:50]
    bare = b"".join(part for line in lines for part in line.split(b'"')[::2])
    return max(SEPARATORS, key=bare.count)
