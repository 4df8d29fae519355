"""The results of formulas that the writer of a spreadsheet stored, by sheet and cell."""

import datetime
import os
import re
import zipfile
from xml.etree.ElementTree import iterparse

import xlrd
from binary_workbook import results
from forms import COMPOUND
from workbook_parts import WORKBOOK, head, local, members, worksheets

MOST = 50_000_000  # bytes of a file that is examined
ERRORS = re.compile(r"#(NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|MACRO\?)|Err:\d+")
CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
EPOCH = datetime.datetime(1899, 12, 30)
DAY = datetime.timedelta(days=1)
TIME = re.compile(r"(-?)PT(\d+)H(\d+)M(\d+(?:\.\d+)?)S")


def asks_for_calculation(path):
    """Whether a workbook of Office Open XML asks for all results anew (ECMA-376 part 1, §18.2.2)."""
    if head(path, 2) != b"PK":
        return False
    with zipfile.ZipFile(path) as package:
        name = members(package).get(WORKBOOK)
        return bool(name and re.search(rb"\sfullCalcOnLoad\s*=\s*[\"'](1|true|on)[\"']", package.read(name)))


def results_in(path, sheet, wanted):
    """
    Returns the stored results of a sheet, by row and column: numbers, texts and truth values, but no errors.

    sheet: its name
    wanted: the rows and columns to look for
    """
    if os.path.getsize(path) > MOST:
        return {}
    start = head(path, 4096)
    if start.startswith(b"PK"):
        with zipfile.ZipFile(path) as package:
            if "content.xml" in package.namelist():
                with package.open("content.xml") as content:
                    return of_open_document(content, sheet, wanted)
            part = worksheets(package).get(sheet)
            if part is None:
                return {}
            with package.open(part) as content:
                return results(content, wanted) if part.endswith(".bin") else of_worksheet(content, wanted)
    if b"opendocument" in start:
        with open(path, "rb") as content:
            return of_open_document(content, sheet, wanted)
    return of_binary(path, sheet, wanted) if start.startswith(COMPOUND) else {}


def of_worksheet(content, wanted):
    found = {}
    for _, element in iterparse(content):
        name = local(element.tag)
        if name == "row":
            element.clear()
        if name != "c":
            continue
        place = CELL.fullmatch(element.get("r", ""))
        at = (int(place[2]) - 1, column(place[1])) if place else None
        if at in wanted:
            text = next((part.text for part in element if local(part.tag) == "v"), None)
            value = typed(element.get("t", "n"), text)
            if value is not None:
                found[at] = value
    return found


def column(letters):
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def typed(kind, text):
    if text is None or kind not in ("n", "b", "str"):
        return None
    if kind == "str":
        return None if ERRORS.fullmatch(text) else text
    return text in ("1", "true") if kind == "b" else float(text)


def of_binary(path, sheet, wanted):
    with open(os.devnull, "w", encoding="utf8") as silence:
        book = xlrd.open_workbook(path, logfile=silence, on_demand=True)
        if sheet not in book.sheet_names():
            return {}
        cells = book.sheet_by_name(sheet)
    kept = (xlrd.XL_CELL_TEXT, xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE, xlrd.XL_CELL_BOOLEAN)
    found = {}
    for y, x in wanted:
        if y < cells.nrows and x < cells.ncols and cells.cell_type(y, x) in kept:
            value = cells.cell_value(y, x)
            found[y, x] = bool(value) if cells.cell_type(y, x) == xlrd.XL_CELL_BOOLEAN else value
    return found


def of_open_document(content, sheet, wanted):
    found, inside, row, x = {}, False, 0, 0
    for event, element in iterparse(content, ("start", "end")):
        name = local(element.tag)
        get = {local(key): value for key, value in element.attrib.items()}.get
        if name == "table" and event == "start":
            inside, row = get("name") == sheet, 0
        elif name == "table-row" and event == "start":
            x = 0
        elif name in ("table-cell", "covered-table-cell") and event == "end":
            if inside and (row, x) in wanted:
                value = dated(get, "\n".join("".join(part.itertext()) for part in element if local(part.tag) == "p"))
                if value is not None:
                    found[row, x] = value
            x += int(get("number-columns-repeated", "1"))
        elif name == "table-row":
            row += int(get("number-rows-repeated", "1"))
            element.clear()
    return found


def dated(get, text):
    """The value of a cell of OpenDocument (part 3, §19.385)."""
    kind = get("value-type")
    if kind in ("float", "percentage", "currency"):
        return float(get("value"))
    if kind == "date":
        return (datetime.datetime.fromisoformat(get("date-value")[:26]) - EPOCH) / DAY
    if kind == "time":
        sign, hours, minutes, seconds = TIME.fullmatch(get("time-value")).groups()
        return float(f"{sign}1") * (int(hours) * 3600 + int(minutes) * 60 + float(seconds)) / 86400
    if kind == "boolean":
        return get("boolean-value") == "true"
    text = get("string-value", text)
    # LibreOffice writes an error as an empty text.
    return None if kind != "string" or not text or ERRORS.fullmatch(text) else text
