"""Which sheets of a workbook have a page setup that its author stored."""

import re
import sys
import zipfile

import olefile
from forms import is_compound
from workbook_parts import head, worksheets

BLOCK = 1 << 20  # bytes of a worksheet that are examined at once
LONGEST = 4096  # bytes of an element
SETUP = re.compile(rb"<(?:\w+:)?pageSetup\b([^<>]*)>")
FIT = re.compile(rb"<(?:\w+:)?pageSetUpPr\b[^<>]*\sfitToPage\s*=\s*[\"'](1|true|on)")
PARTS = re.compile(rb"<(?:\w+:)?(?:odd(?:Header|Footer)>[^<]|(?:row|col)Breaks\b[^<>]*\smanualBreakCount=[\"'][1-9])")
SCALED = re.compile(rb"\sscale=[\"'](?!100[\"']|0[\"'])")
# Excel leaves defaults out. Programs that write them did not ask anybody.
SPELLED = re.compile(rb"\s(scale=[\"'](100|0)|copies=[\"'][01]|pageOrder=[\"']downThenOver)[\"']")
BOUND_SHEET, WORKSHEET_SETUP, OPTIONS, DIMENSIONS, END = 0x85, 0xA1, 0x81, 0x200, 0x0A  # MS-XLS §2.3.1
EXCEL_97 = b"\x00\x06"  # the version in the first record
UNSET, FITTED = 0x04, 0x0100  # fNoPls of Setup, fFitToPage of WsBool


def sheets_with_setup(path):
    """The names of the sheets with a page setup. Empty for other files than Excel's, and damaged ones."""
    try:
        if head(path, 2) == b"PK":
            with zipfile.ZipFile(path) as package:
                parts = worksheets(package).items()
                return {name for name, part in parts if part.endswith(".xml") and has_setup(package, part)}
        if is_compound(path):
            return in_binary(path)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    return set()


def has_setup(package, part):
    """Whether a worksheet has one (ECMA-376 part 1, §18.3.1.63). What tells it stands before and after the cells."""
    found, setup, rest, is_after = False, b"", b"", False
    with package.open(part) as content:
        while block := content.read(BLOCK):
            if not rest and FIT.search(block[: 4 * LONGEST]):
                return True
            text = rest + block
            if not is_after:
                end = max(text.find(name) for name in (b"/sheetData>", b":sheetData>", b"sheetData/>"))
                is_after, text = end >= 0, text[max(end, 0) :]
            if is_after:
                found = found or PARTS.search(text) is not None
                setup = next((match[1] for match in SETUP.finditer(text)), setup)
            rest = text[-LONGEST:]
    if b"landscape" in setup or SCALED.search(setup):
        return True
    return not SPELLED.search(setup) and (found or b"portrait" in setup)


def in_binary(path):
    """The same for Excel 97: Setup stands before the cells (MS-XLS §2.4.257)."""
    with olefile.OleFileIO(path) as file:
        content = file.openstream("Workbook").read() if file.exists("Workbook") else b""
    if content[4:6] != EXCEL_97:
        return set()
    sheets = [record for kind, record in records(content, 0, END) if kind == BOUND_SHEET]
    found = set()
    for sheet in sheets:
        start, length, is_wide = int.from_bytes(sheet[:4], "little"), sheet[6], sheet[7] & 1
        title = sheet[8 : 8 + 2 * length].decode("utf-16le") if is_wide else sheet[8 : 8 + length].decode("latin1")
        flags = {kind: record for kind, record in records(content, start, DIMENSIONS)}
        setup, options = flags.get(WORKSHEET_SETUP, b""), flags.get(OPTIONS, b"\0\0")
        if len(setup) >= 12 and not setup[10] & UNSET or options[1] & FITTED >> 8:
            found.add(title)
    return found


def records(content, at, last):
    """The records of a stream from a place on, until one of a kind."""
    while at + 4 <= len(content):
        kind, size = int.from_bytes(content[at : at + 2], "little"), int.from_bytes(content[at + 2 : at + 4], "little")
        if kind == last:
            return
        yield kind, content[at + 4 : at + 4 + size]
        at += 4 + size
