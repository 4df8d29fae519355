"""Calculates results that the writer of a spreadsheet left open, and keeps those that LibreOffice cannot calculate."""

import re
import sys

from com.sun.star.lang import Locale
from com.sun.star.uno import RuntimeException
from sheets import ANY_RESULT, ERROR, LOGICAL, RANGES, each, matching
from stored_results import asks_for_calculation, results_in
from table_names import add_table_names

NUMBER, TEXT = 1, 2  # com.sun.star.sheet.FormulaResult
FORMULA = 16  # com.sun.star.sheet.CellFlags
CELLS = 1_000_000  # cells of a sheet whose results are kept
ROWS = 1000  # rows that are read at once
PATHS = r'^=.*(CELL\( *"filename"|INFO\( *"directory")'  # formulas whose results tell a folder of this machine
FUNCTION = re.compile(r"^[ \t]*(?:(?:public|private|static)[ \t]+)*function[ \t]+(\w+)", re.IGNORECASE | re.MULTILINE)


def calculate_open(document, path):
    """Calculates all formulas if the document asks for it, or has no result. Returns whether it asks."""
    try:
        asked = asks_for_calculation(path)
    except Exception as error:  # LibreOffice can often read a damaged file.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        asked = False
    if asked or has_no_result(document):
        document.calculateAll()
    return asked


def has_no_result(document):
    """Whether all results are 0 or empty texts. Libraries that do not calculate store these."""
    formulas = False
    for sheet in each(document.Sheets):
        for cells in each(sheet.queryFormulaCells(NUMBER | TEXT), RANGES):
            formulas = True
            end = cells.RangeAddress
            for top in range(0, end.EndRow - end.StartRow + 1, ROWS):
                bottom = min(top + ROWS - 1, end.EndRow - end.StartRow)
                part = cells.getCellRangeByPosition(0, top, end.EndColumn - end.StartColumn, bottom)
                if any(value not in (0, "") for row in part.getDataArray() for value in row):
                    return False
    return formulas


def keep_results(document, path, asked):
    """Puts stored results in the place of errors. In a document that asked for results, a stored 0 is none."""
    macros = calls_of_macros(document)
    for sheet in each(document.Sheets):
        try:
            keep(document, sheet, path, asked, macros)
        except Exception as error:  # A protected sheet or a damaged file keeps its errors.
            print(f"{type(error).__name__}: {error}", file=sys.stderr)


def calls_of_macros(document):
    """A pattern of formulas that call a macro of the document; they fail when they are drawn. Else ''."""
    names = set()
    libraries = document.BasicLibraries
    for library in libraries.ElementNames:
        libraries.loadLibrary(library)
        modules = libraries.getByName(library)
        for module in modules.ElementNames:
            names.update(FUNCTION.findall(modules.getByName(module)))
    return rf"^=.*\b({'|'.join(sorted(names))})\(" if names else ""


def keep(document, sheet, path, asked, macros):
    formulas = sheet.queryFormulaCells(ANY_RESULT)
    if not formulas.Count:
        return
    told, called = matching(formulas, PATHS), matching(formulas, macros) if macros else ()
    add_table_names(document, sheet, sheet.queryFormulaCells(ERROR).RangeAddresses)
    areas = [*sheet.queryFormulaCells(ERROR).RangeAddresses, *called, *told]
    wanted = {place for area in areas for place in places(area)} if sum(map(size, areas)) <= CELLS else set()
    if not wanted:
        return
    results = results_in(path, sheet.Name, wanted)
    if asked:
        results = {place: value for place, value in results.items() if value not in (0, "")}
    for area in areas:
        cells = within(sheet, area)
        # An error may be gone with the one that it came from.
        for own in cells.queryFormulaCells(ERROR).RangeAddresses:
            put(document, sheet, own, results)
    for area in called:
        put(document, sheet, area, results)
    for area in told:
        put(document, sheet, area, {place: results.get(place, "") for place in places(area)})


def size(area):
    return (area.EndRow - area.StartRow + 1) * (area.EndColumn - area.StartColumn + 1)


def places(area):
    return [(y, x) for y in range(area.StartRow, area.EndRow + 1) for x in range(area.StartColumn, area.EndColumn + 1)]


def within(sheet, area):
    return sheet.getCellRangeByPosition(area.StartColumn, area.StartRow, area.EndColumn, area.EndRow)


def put(document, sheet, area, results):
    """Gives cells their results: all at once, or one by one if some have none."""
    known = [place for place in places(area) if place in results]
    if len(known) == size(area):
        fill(document, sheet, area, results)
    else:
        for y, x in known:
            fill(document, sheet, sheet.getCellByPosition(x, y).RangeAddress, results)


def fill(document, sheet, area, results):
    cells = within(sheet, area)
    try:
        cells.setDataArray(data(area, results))
    except RuntimeException:  # A part of an array formula cannot be set. It becomes its values as a whole.
        array = sheet.createCursorByRange(cells)
        array.collapseToCurrentArray()
        own = array.RangeAddress
        before = dict(zip(places(own), (value for row in array.getDataArray() for value in row)))
        array.clearContents(FORMULA)
        array.setDataArray(data(own, {place: results.get(place, before[place]) for place in places(own)}))
    for y, x in places(area):
        if isinstance(results[y, x], bool) and not sheet.getCellByPosition(x, y).NumberFormat:
            sheet.getCellByPosition(x, y).NumberFormat = document.NumberFormats.getStandardFormat(LOGICAL, Locale())


def data(area, results):
    columns = range(area.StartColumn, area.EndColumn + 1)
    rows = ((results[y, x] for x in columns) for y in range(area.StartRow, area.EndRow + 1))
    return tuple(tuple(value if isinstance(value, str) else float(value or 0) for value in row) for row in rows)
