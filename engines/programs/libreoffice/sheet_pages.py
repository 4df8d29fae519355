"""Lays spreadsheets out on paper: columns and pages that cut their content become wider."""

import sys
from itertools import islice

from sheets import TEXT_RESULT, each

WIDEST = 9000  # 0.01 mm; longer texts get several lines
SMALLEST = 2  # most times that a sheet is made smaller to fit the width of a page
CELLS = 300_000  # cells of a sheet whose length is compared
COLUMNS = 1000  # columns that are measured
LINES = 5000  # rows that get several lines
TEXTS, FORMULAS = 4, 16  # com.sun.star.sheet.CellFlags.STRING, FORMULA
SHAPES = 500  # shapes that are measured


def lay_out(document):
    """Widens columns that cut their content, and fits wide sheets to the page."""
    styles = document.StyleFamilies.getByName("PageStyles")
    widths = {}
    for sheet in each(document.Sheets):
        if not sheet.IsVisible:
            sheet.setPrintAreas(())  # LibreOffice prints the areas of hidden sheets, too.
            continue
        used = used_range(sheet)
        try:
            widen(document, sheet, used)
        except Exception as error:  # A protected sheet keeps its columns.
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        if not is_laid_out(sheet, used):
            widths[sheet.PageStyle] = max(widths.get(sheet.PageStyle, 0), used.Size.Width, shapes_end(sheet))
    for name, width in widths.items():
        fit_page(styles.getByName(name), width)


def used_range(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    return sheet.getCellRangeByPosition(0, 0, min(end.EndColumn, COLUMNS - 1), end.EndRow)


def shapes_end(sheet):
    """Where the last of the shapes ends, in 0.01 mm from the left."""
    page = sheet.DrawPage
    shapes = [page.getByIndex(index) for index in range(min(page.Count, SHAPES))]
    return max((shape.Position.X + shape.Size.Width for shape in shapes), default=0)


def widen(document, sheet, used):
    """Makes columns as wide as numbers, and texts beside other cells, need."""
    needed = measured(document, sheet, used)
    narrow = set()
    for index, column in enumerate(each(used.Columns)):
        if column.IsVisible and column.Width < needed[index]:
            if needed[index] > max(WIDEST, column.Width):
                narrow.add(index)
            column.Width = min(needed[index], max(WIDEST, column.Width))
    raise_rows(sheet, used, narrow)


def measured(document, sheet, used):
    """The widths that columns need in a copy of the sheet without the texts that may run over empty cells."""
    sheets, name = document.Sheets, "measured"
    while sheets.hasByName(name):
        name += "_"
    sheets.copyByName(sheet.Name, name, sheets.Count)
    try:
        copy, end = sheets.getByName(name), used.RangeAddress
        beside = copy.getCellRangeByPosition(1, 0, end.EndColumn + 1, end.EndRow)
        empty = beside.queryEmptyCells().RangeAddresses
        for area in empty:
            area.StartColumn -= 1
            area.EndColumn -= 1
        free = document.createInstance("com.sun.star.sheet.SheetCellRanges")
        free.addRangeAddresses(empty, False)
        free.clearContents(TEXTS)
        free.queryFormulaCells(TEXT_RESULT).clearContents(FORMULAS)
        columns = copy.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow).Columns
        columns.OptimalWidth = True
        return [column.Width for column in each(columns)]
    finally:
        sheets.removeByName(name)


def raise_rows(sheet, used, narrow):
    """Gives texts of several lines, and those that are too long for their column, the height that they need."""
    end = used.RangeAddress.EndRow
    long = {}
    for x in narrow:
        cells = sheet.getCellRangeByPosition(x, 0, x, min(end, CELLS // len(narrow)))
        for y, (value,) in enumerate(cells.getDataArray()):
            if isinstance(value, str) and len(value) > 30:
                long.setdefault(y, []).append(x)
    search = used.createSearchDescriptor()
    search.SearchString, search.SearchRegularExpression = "\\n", True
    found = used.findAll(search)
    for area in found.RangeAddresses if found else ():
        for y in range(area.StartRow, area.EndRow + 1):
            long.setdefault(y, [])
    for y, columns in islice(sorted(long.items()), LINES):
        for x in columns:
            sheet.getCellByPosition(x, y).IsTextWrapped = True
        line = sheet.Rows.getByIndex(y)
        if line.IsVisible:
            before = line.Height
            line.OptimalHeight = True
            if line.Height < before:
                line.Height = before


def is_laid_out(sheet, used):
    """Whether the author decided what is on which page."""
    return bool(sheet.getPrintAreas()) or any(column.IsManualPageBreak for column in each(used.Columns))


def fit_page(style, width):
    """Turns a page for sheets of a width in 0.01 mm, and scales them, unless the author chose a scale."""
    if style.PageScale != 100 or style.ScaleToPages or style.ScaleToPagesX or style.ScaleToPagesY:
        return
    margins = style.LeftMargin + style.RightMargin
    if width > style.Width - margins and style.Width < style.Height:
        style.IsLandscape = True
        style.Width, style.Height = style.Height, style.Width
    if style.Width - margins < width <= (style.Width - margins) * SMALLEST:
        style.ScaleToPagesX, style.ScaleToPagesY = 1, 0
