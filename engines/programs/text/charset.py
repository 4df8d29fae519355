"""Character sets of texts that do not declare theirs."""

import codecs
import re

from text.likelihood import likeliest

FOREIGN = re.compile(rb"[\x80-\xff]+")
SAMPLE, LINE = 8192, 1024  # bytes that a guess considers, and of one line among those


def is_utf8(chunks, complete=True):
    """Whether chunks are valid UTF-8. If they are not `complete`, the last character may be cut off."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
        decoder.decode(b"", final=complete)
        return True
    except UnicodeDecodeError:
        return False


def legible(content, kind="text"):
    """Decodes bytes as UTF-8 if they are valid, else in the character set that is the most likely for a `text` or `name`."""
    try:
        return content.decode("utf8")
    except UnicodeDecodeError:
        return content.decode(likely(content, kind), "replace")


def likely(content, kind="text"):
    """The codec that is the most likely one of bytes that are not UTF-8."""
    return likeliest(foreign_lines(content), kind)


def foreign_lines(content):
    """The first lines with bytes that are not ASCII, at least in part."""
    lines, size, at = [], 0, 0
    for found in FOREIGN.finditer(content):
        if size >= SAMPLE:
            break
        if found.start() < at:
            continue
        start = max(content.rfind(b"\n", 0, found.start()) + 1, at, found.start() - LINE)
        end = content.find(b"\n", found.start()) + 1 or len(content)
        at = min(end, found.start() + LINE)
        lines.append(content[start:at])
        size += at - start
    return b"".join(lines)


def codec_of(page):
    """The codec of a Windows code page by its number, or None if there is none."""
    name = {65001: "utf8", 20127: "ascii", 10000: "mac_roman", 10007: "mac_cyrillic", 20866: "koi8_r", 21866: "koi8_u"}.get(page)
    if 28591 <= page <= 28606:
        name = f"iso8859_{page - 28590}"
    try:
        return codecs.lookup(name or f"cp{page}").name
    except LookupError:
        return None
