"""Lays spreadsheets out on paper: columns and pages that cut their content become wider."""

import sys
from itertools import groupby

from com.sun.star.table import CellRangeAddress
from page_setup import sheets_with_setup
from sheets import TEXT_RESULT, each, matching

WIDEST = 9000  # 0.01 mm; longer texts get several lines
SMALLEST = 2  # most times that a sheet is made smaller to fit the width of a page
CELLS = 300_000  # cells of a sheet whose length is compared
COLUMNS = 1000  # columns that are measured
LINES = 5000  # rows that get several lines
LONG = 100  # letters of a text that may need much of a page
TALL = 3000  # 0.01 mm; lines on paper can be more than LibreOffice counts on higher rows
SPARE = 1.08  # times the height that higher rows get
VALUES, TEXTS, FORMULAS = 1, 4, 16  # com.sun.star.sheet.CellFlags.VALUE, STRING, FORMULA
BESIDE = 200  # 0.01 mm that LibreOffice leaves free beside the widest cell
FORMATS = 500  # ranges of cells with different formats that are examined
SHAPES = 500  # shapes that are measured


def lay_out(document, path):
    """
    Widens columns that cut their content, and fits wide sheets to the page. A sheet whose author stored how it is printed
    stays as it is, but for numbers that their columns are too narrow for. `path` is the document's file.
    """
    setups = sheets_with_setup(path)
    styles = document.StyleFamilies.getByName("PageStyles")
    widths, kept = {}, set()
    for sheet in each(document.Sheets):
        if not sheet.IsVisible:
            sheet.setPrintAreas(())  # LibreOffice prints the areas of hidden sheets, too.
            continue
        used = used_range(sheet)
        is_final = sheet.Name in setups or is_laid_out(sheet, used)
        try:
            if is_final:
                show_numbers(document, sheet, used)
            else:
                widen(document, sheet, used)
                lower_rows(sheet, used, styles.getByName(sheet.PageStyle))
        except Exception as error:  # A protected sheet keeps its columns.
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        if is_final:
            kept.add(sheet.PageStyle)
        else:
            widths[sheet.PageStyle] = max(widths.get(sheet.PageStyle, 0), used.Size.Width, shapes_end(sheet))
    for name, width in widths.items():
        if name not in kept:
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
    needed = measured(document, sheet, used, clear_free_texts)
    narrow = set()
    for index, column in enumerate(each(used.Columns)):
        if column.IsVisible and column.Width < needed[index]:
            if needed[index] > max(WIDEST, column.Width):
                narrow.add(index)
            column.Width = min(needed[index], max(WIDEST, column.Width))
    raise_rows(document, sheet, used, narrow)


def show_numbers(document, sheet, used):
    """Widens columns in which numbers would be `###`. Those without a format have as many decimals as fit."""
    needed = measured(document, sheet, used, clear_texts)
    for index, column in enumerate(each(used.Columns)):
        if column.IsVisible and column.Width < needed[index] - BESIDE:
            column.Width = needed[index]


def measured(document, sheet, used, clear):
    """The widths that columns need in a copy of the sheet that `clear` takes cells from."""
    sheets, name = document.Sheets, "measured"
    while sheets.hasByName(name):
        name += "_"
    sheets.copyByName(sheet.Name, name, sheets.Count)
    try:
        copy, end = sheets.getByName(name), used.RangeAddress
        cells = copy.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
        clear(document, cells)
        cells.Columns.OptimalWidth = True
        return [column.Width for column in each(cells.Columns)]
    finally:
        sheets.removeByName(name)


def clear_free_texts(document, cells):
    """Removes the texts that run over empty cells."""
    end = cells.RangeAddress
    beside = cells.Spreadsheet.getCellRangeByPosition(1, 0, end.EndColumn + 1, end.EndRow)
    empty = beside.queryEmptyCells().RangeAddresses
    for area in empty:
        area.StartColumn -= 1
        area.EndColumn -= 1
    free = document.createInstance("com.sun.star.sheet.SheetCellRanges")
    free.addRangeAddresses(empty, False)
    free.clearContents(TEXTS)
    free.queryFormulaCells(TEXT_RESULT).clearContents(FORMULAS)


def clear_texts(document, cells):
    """Removes all texts, and numbers without a format."""
    cells.clearContents(TEXTS)
    cells.queryFormulaCells(TEXT_RESULT).clearContents(FORMULAS)
    for alike in each(cells.getUniqueCellFormatRanges(), FORMATS):
        if alike.NumberFormat == 0:
            alike.clearContents(VALUES | FORMULAS)


def raise_rows(document, sheet, used, narrow):
    """Gives texts of several lines, and those that are too long for their column, the height that they need."""
    end = used.RangeAddress.EndRow
    long = {}
    for x in narrow:
        cells = sheet.getCellRangeByPosition(x, 0, x, min(end, CELLS // len(narrow)))
        for y, (value,) in enumerate(cells.getDataArray()):
            if isinstance(value, str) and len(value) > 30:
                long.setdefault(y, []).append(x)
    for y in places_of(used, "\\n"):
        long.setdefault(y, [])
    lines = sorted(long)[:LINES]
    at = [CellRangeAddress(used.RangeAddress.Sheet, x, y, x, y) for y in lines for x in long[y]]
    if at:
        wrapped = document.createInstance("com.sun.star.sheet.SheetCellRanges")
        wrapped.addRangeAddresses(at, False)
        wrapped.IsTextWrapped = True
    seen = [y for y in lines if sheet.Rows.getByIndex(y).IsVisible]
    for _, run in groupby(enumerate(seen), lambda one: one[1] - one[0]):
        fit_rows(sheet, [y for _, y in run])


def fit_rows(sheet, run):
    """Makes rows in a run as high as they need, but none lower: all at once, because each change measures anew."""
    rows = [sheet.Rows.getByIndex(y) for y in run]
    before = [row.Height for row in rows]
    sheet.getCellRangeByPosition(0, run[0], 0, run[-1]).Rows.OptimalHeight = True
    for row, height in zip(rows, before):
        if row.Height < height:
            row.Height = height


def lower_rows(sheet, used, style):
    """Widens columns with texts that are higher than a page, which would be cut, and makes the page smaller if need be."""
    narrow, wide = sorted((style.Width, style.Height))
    height = narrow - style.TopMargin - style.BottomMargin - sum(
        getattr(style, f"{part}Height") for part in ("Header", "Footer") if getattr(style, f"{part}IsOn")
    )
    width = wide - style.LeftMargin - style.RightMargin
    long = places_of(used, f"(?s).{{{LONG}}}")
    rows = {y: sheet.Rows.getByIndex(y) for y in long}
    rows = {y: row for y, row in rows.items() if row.IsVisible and row.OptimalHeight}
    for times in range(1, SMALLEST + 1):
        tall = [y for y, row in rows.items() if row.Height * SPARE > height * times]
        if not tall:
            break
        if times > 1:
            turn(style)
            style.ScaleToPagesX, style.PageScale = 0, 100 // times
        # A tenth more: words do not fill lines.
        most = max(rows[y].Height for y in tall) * SPARE / (height * times) * 1.1
        for x in {x for y in tall for x in long[y]}:
            column = sheet.Columns.getByIndex(x)
            column.Width = max(column.Width, min(int(column.Width * most), width * times))
        for row in rows.values():
            row.OptimalHeight = True
    for row in rows.values():
        if row.Height > TALL:
            row.Height = int(row.Height * SPARE)


def places_of(used, pattern):
    """The columns of the cells that contain a pattern, by row."""
    places = {}
    for area in matching(used, pattern):
        for y in range(area.StartRow, area.EndRow + 1):
            if len(places) >= LINES and y not in places:
                return places
            places.setdefault(y, set()).update(range(area.StartColumn, area.EndColumn + 1))
    return places


def is_laid_out(sheet, used):
    """Whether the author decided what is on which page."""
    is_chosen = sheet.getPrintAreas() or sheet.getPrintTitleColumns() or sheet.getPrintTitleRows()
    return bool(is_chosen) or any(column.IsManualPageBreak for column in each(used.Columns))


def fit_page(style, width):
    """Turns a page for sheets of a width in 0.01 mm, and scales them, unless the author chose a scale."""
    if style.PageScale != 100 or style.ScaleToPages or style.ScaleToPagesX or style.ScaleToPagesY:
        return
    margins = style.LeftMargin + style.RightMargin
    if width > style.Width - margins:
        turn(style)
    if style.Width - margins < width <= (style.Width - margins) * SMALLEST:
        style.ScaleToPagesX, style.ScaleToPagesY = 1, 0


def turn(style):
    style.IsLandscape = True
    style.Height, style.Width = sorted((style.Width, style.Height))
