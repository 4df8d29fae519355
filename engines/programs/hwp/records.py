"""Reads the records of a section of a Hangul document."""

import struct
import zlib

PARA_TEXT, CTRL_HEADER, LIST_HEADER = 67, 71, 72
TABLE = b" lbt"  # "tbl " in little-endian order
MOST = 256 << 20

# Control characters of one unit, and their text. All others take eight units.
ALONE = {0: "", 10: "\n", 13: "", 24: "-", 25: "", 26: "", 27: "", 28: "", 29: "", 30: "\u00a0", 31: " "}
PLACES = 8
TAB = 9


def section(content, compressed):
    """The records of a section: tag, level and content of each."""
    if compressed:
        unpacker = zlib.decompressobj(-15)
        content = unpacker.decompress(content, MOST)
    at = 0
    while at + 4 <= len(content):
        (head,) = struct.unpack_from("<I", content, at)
        at += 4
        tag, level, size = head & 1023, head >> 10 & 1023, head >> 20
        if size == 4095:
            if at + 4 > len(content):
                return
            (size,) = struct.unpack_from("<I", content, at)
            at += 4
        yield tag, level, content[at : at + size]
        at += size


def paragraphs_of(records):
    """The text of each paragraph, and its table, row and column, if any. Nested tables are flattened."""
    table, count, cell = None, 0, None
    for tag, level, content in records:
        if table is not None and (level < table or (level == table and tag in (PARA_TEXT, CTRL_HEADER))):
            table = cell = None
        if tag == CTRL_HEADER and table is None and content[:4] == TABLE:
            table, count = level, count + 1
        elif tag == LIST_HEADER and table is not None and level == table + 1 and len(content) >= 12:
            column, row = struct.unpack_from("<HH", content, 8)
            cell = (count, row, column)
        elif tag == PARA_TEXT:
            yield text_of(content), cell


def text_of(content):
    units = struct.unpack(f"<{len(content) // 2}H", content[: len(content) // 2 * 2])
    said, at = [], 0
    while at < len(units):
        unit = units[at]
        if unit >= 32:
            said.append(unit)
        elif unit in ALONE:
            said += [ord(letter) for letter in ALONE[unit]]
        elif unit == TAB:
            said.append(TAB)
        at += PLACES if unit < 32 and unit not in ALONE else 1
    return struct.pack(f"<{len(said)}H", *said).decode("utf-16-le", "replace")
