"""What LibreOffice has to be told about a text, since it does not find out itself."""

HEAD = 1 << 20  # bytes that are looked at
SEPARATORS = b",;\t|"
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def text_options(source, spec):
    """FilterOptions for `spec["text"]`: `plain` for a text, `table` for values with separators; else nothing."""
    kind = spec.get("text")
    if not kind:
        return {}
    with open(source, "rb") as file:
        head = file.read(HEAD)
    if kind == "plain":
        return {"FilterOptions": plain_charset(head)}
    return {"FilterOptions": f"{separator(head)},34,{table_charset(head)},1,,1033,false,true,false"}


def is_utf8(head):
    try:
        head.decode("utf8")
        return True
    except UnicodeDecodeError as error:
        # The head may end inside of a character.
        return error.start > len(head) - 4 and len(head) == HEAD


def plain_charset(head):
    if head.startswith(UTF16):
        return "UTF-16"
    return "UTF8" if is_utf8(head) else "MS_1252"


def table_charset(head):
    """Numbers of the filter's own: 76 is UTF-8, 65535 UTF-16, 1 Windows-1252."""
    if head.startswith(UTF16):
        return 65535
    return 76 if is_utf8(head) else 1


def separator(head):
    """The character code of what stands most often, and outside of quotes, in the first lines."""
    lines = head.split(b"\n")[:50]
    bare = b"".join(part for line in lines for part in line.split(b'"')[::2])
    return max(SEPARATORS, key=bare.count)
