"""Lays spreadsheets out on paper: columns and pages that cut their content become wider."""

import sys

from sheets import each

WIDEST = 9000  # 0.01 mm; longer texts get several lines
SMALLEST = 2  # most times that a sheet is made smaller to fit the width of a page
CELLS = 300_000  # cells of a sheet whose texts are measured
COLUMNS = 1000  # columns that are measured
LINES = 5000  # rows that get several lines
TEXTS = 4  # com.sun.star.sheet.CellFlags.STRING
SHAPES = 500  # shapes that are measured


def lay_out(document):
    """Widens columns that cut their content, and fits wide sheets to the page."""
    styles = document.StyleFamilies.getByName("PageStyles")
    widths = {}
    for sheet in each(document.Sheets):
        if not sheet.IsVisible:
            continue
        used = used_range(sheet)
        try:
            widen(document.Sheets, sheet, used)
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


def widen(sheets, sheet, used):
    """Makes columns as wide as numbers, and texts beside other cells, need."""
    texts = texts_beside(used)
    needed = measured(sheets, sheet, used, texts)
    narrow = set()
    for index, column in enumerate(each(used.Columns)):
        if column.IsVisible and column.Width < needed[index]:
            if needed[index] > max(WIDEST, column.Width):
                narrow.add(index)
            column.Width = min(needed[index], max(WIDEST, column.Width))
    raise_rows(sheet, texts, narrow)


def texts_beside(used):
    """The values of the first rows: numbers, and texts that end at their cell, because the next one is filled."""
    end = used.RangeAddress
    rows = min(end.EndRow + 1, CELLS // (end.EndColumn + 1))
    data = used.Spreadsheet.getCellRangeByPosition(0, 0, end.EndColumn, rows - 1).getDataArray() if rows else ()
    return tuple(tuple(kept(row, index) for index in range(len(row))) for row in data)


def kept(row, index):
    value = row[index]
    if not isinstance(value, str) or "\n" in value:
        return value
    return value if index + 1 < len(row) and row[index + 1] != "" else ""


def measured(sheets, sheet, used, texts):
    """The widths that columns need in a copy of the sheet with these values."""
    name = "measured"
    while sheets.hasByName(name):
        name += "_"
    sheets.copyByName(sheet.Name, name, sheets.Count)
    try:
        copy, end = sheets.getByName(name), used.RangeAddress
        if texts:
            copy.getCellRangeByPosition(0, 0, end.EndColumn, len(texts) - 1).setDataArray(texts)
        if len(texts) <= end.EndRow:  # Texts below would count with their whole length.
            copy.getCellRangeByPosition(0, len(texts), end.EndColumn, end.EndRow).clearContents(TEXTS)
        columns = copy.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow).Columns
        columns.OptimalWidth = True
        return [column.Width for column in each(columns)]
    finally:
        sheets.removeByName(name)


def raise_rows(sheet, texts, narrow):
    """Gives texts of several lines, and those that are too long for their column, the height that they need."""
    lines = 0
    for y, row in enumerate(texts):
        long = [x for x in narrow if isinstance(row[x], str) and len(row[x]) > 30]
        if not long and not any(isinstance(value, str) and "\n" in value for value in row):
            continue
        lines += 1
        if lines > LINES:
            return
        for x in long:
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
