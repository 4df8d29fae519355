"""Sheets and stored results of binary workbooks of Excel 2007 (MS-XLSB)."""

import struct

ROW, SHEET = 0, 156  # BrtRowHdr, BrtBundleSh (MS-XLSB §2.3.2)
TEXT, NUMBER, TRUTH = 8, 9, 10  # BrtFmlaString, BrtFmlaNum, BrtFmlaBool


def records(content):
    """The kinds and bytes of the records of a part (§2.1.4)."""
    while True:
        kind, size = variable(content, 2), variable(content, 4)
        if size is None:
            return
        yield kind, content.read(size)


def variable(content, most):
    """A number of at most so many bytes, of which each but the last has its highest bit set. None at the end."""
    number = 0
    for index in range(most):
        byte = content.read(1)
        if not byte:
            return None
        number |= (byte[0] & 127) << 7 * index
        if byte[0] < 128:
            break
    return number


def sheet_links(content):
    """The relationship of each sheet by the sheet's name."""
    links = {}
    for kind, record in records(content):
        if kind == SHEET:
            link, end = wide(record, 8)
            links[wide(record, end)[0]] = link
    return links


def wide(record, at):
    """A text, and where it ends (§2.5.169)."""
    end = at + 4 + 2 * int.from_bytes(record[at : at + 4], "little")
    return record[at + 4 : end].decode("utf-16le"), end


def results(content, wanted):
    """The results of formulas by row and column."""
    found, row = {}, 0
    for kind, record in records(content):
        if kind == ROW:
            row = int.from_bytes(record[:4], "little")
        elif kind in (TEXT, NUMBER, TRUTH):
            place = (row, int.from_bytes(record[:4], "little"))
            if place in wanted:
                found[place] = (
                    wide(record, 8)[0]
                    if kind == TEXT
                    else struct.unpack_from("<d", record, 8)[0]
                    if kind == NUMBER
                    else record[8] == 1
                )
    return found
