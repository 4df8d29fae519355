"""Repairs values of spreadsheets that LibreOffice reads or writes wrong. The document must be editable."""

import os
import shutil
import sys

from com.sun.star.lang import Locale
from sheet_source import rewrite

CALC = "com.sun.star.sheet.SpreadsheetDocument"
LOGICAL = 1024  # com.sun.star.util.NumberFormat.LOGICAL
TEXT_RESULT, ERROR, ANY_RESULT = 2, 4, 7  # com.sun.star.sheet.FormulaResult
WITH_PIVOTS = ("calc8", "MS Excel 97", "Calc MS Excel 2007 XML", "Calc MS Excel 2007 VBA XML")
RANGES = 2000  # most ranges of a sheet whose results are kept
TRUTHS = r"^=(.*[<>=].*|(AND|OR|NOT|XOR|EXACT|IS[A-Z]+)\(.*\))$"  # formulas whose result can be a truth value


def editable_copy(path, spec, folder):
    """
    Returns a path and properties to load a document by. A spreadsheet is copied into `folder`: one in a read-only file
    cannot change.
    """
    if spec["service"] != CALC:
        return path, {}
    copy = os.path.join(folder, os.path.basename(path))
    shutil.copyfile(path, copy)
    try:
        rewrite(copy, spec["store"].get("FilterName") in WITH_PIVOTS)
    except Exception as error:  # LibreOffice can often read a damaged file as it is.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    return copy, {"ReadOnly": False}


def repair_values(document, spec):
    """Repairs truth values, text results of formulas in Excel 97, and notes in flat OpenDocument."""
    target = spec["store"].get("FilterName", "")
    for sheet in each(document.Sheets):
        try:
            formulas = sheet.queryFormulaCells(ANY_RESULT)
            if formulas.Count:
                restore_truth(document, formulas)
            # From Excel to Excel, results stay truth values, unless they are calculated anew.
            if formulas.Count and not ("MS Excel 2007" in spec["load"].get("FilterName", "") and "MS Excel" in target):
                calculate_truths(document, formulas)
            if target == "MS Excel 97":
                calculate_texts(sheet)
            if "Flat XML" in target:
                draw_notes(sheet)
        except Exception as error:  # A protected sheet stays as it is.
            print(f"{type(error).__name__}: {error}", file=sys.stderr)


def matching(cells, pattern):
    """The areas of the cells that contain a pattern."""
    search = cells.createSearchDescriptor()
    search.SearchString, search.SearchRegularExpression = pattern, True
    found = cells.findAll(search)
    return found.RangeAddresses if found else ()


def each(collection, most=sys.maxsize):
    return [collection.getByIndex(index) for index in range(min(collection.Count, most))]


def restore_truth(document, formulas):
    """LibreOffice reads truth values of Excel as the formulas `=TRUE()` and `=FALSE()`, and writes these to OpenDocument."""
    for name in ("TRUE", "FALSE"):
        search = formulas.createReplaceDescriptor()
        search.SearchString, search.ReplaceString = f"={name}()", name
        search.SearchWords = True  # whole cells
        found = formulas.findAll(search)
        if found:
            found.NumberFormat = 0  # In the format for text, it would become text.
            formulas.replaceAll(search)
            found.NumberFormat = document.NumberFormats.getStandardFormat(LOGICAL, Locale())


def calculate_truths(document, formulas):
    """LibreOffice knows no truth values among results that it has read and not calculated."""
    search = formulas.createSearchDescriptor()
    search.SearchString, search.SearchRegularExpression = TRUTHS, True
    found = formulas.findAll(search)
    if not found:
        return
    for cells in each(found, RANGES):
        for alike in each(cells.getUniqueCellFormatRanges()):
            if document.NumberFormats.getByKey(alike.NumberFormat).Type & LOGICAL:
                alike.NumberFormat = 0  # In this format, results would be written as numbers into Excel's formats.
    calculate(found)


def calculate_texts(sheet):
    """LibreOffice writes 0 for a text that it has read and not calculated."""
    calculate(sheet.queryFormulaCells(TEXT_RESULT))


def calculate(ranges):
    """Calculates formulas anew, all at once. Those that LibreOffice does not know become their results."""
    before = [(cells, cells.getDataArray()) for cells in each(ranges, RANGES)]
    search = ranges.createReplaceDescriptor()
    search.SearchString, search.ReplaceString, search.SearchRegularExpression = "^=", "=", True
    ranges.replaceAll(search)
    if ranges.queryFormulaCells(ERROR).Count:
        for cells, values in before:
            restore(cells, values)


def restore(cells, before):
    """Gives cells with a new error the value that they had before. For a cell with an error, that is None."""
    start = cells.RangeAddress
    for area in cells.queryFormulaCells(ERROR).RangeAddresses:
        for y in range(area.StartRow - start.StartRow, area.EndRow - start.StartRow + 1):
            for x in range(area.StartColumn - start.StartColumn, area.EndColumn - start.StartColumn + 1):
                if before[y][x] is not None:
                    cells.getCellRangeByPosition(x, y, x, y).setDataArray(((before[y][x],),))


def draw_notes(sheet):
    """LibreOffice leaves notes out that nobody has looked at yet."""
    for note in each(sheet.Annotations):
        getattr(note, "AnnotationShape", None)
