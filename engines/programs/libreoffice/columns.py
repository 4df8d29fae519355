"""Writes tables as columns of text: LibreOffice puts each cell of a table on a line of its own in plain text."""

import re
import unicodedata

from levels import parts

GAP = "  "  # between two columns
WIDEST = 200  # columns; a wider table stays as it is, cell after cell
CELL = re.compile(r"([A-Za-z]+)(\d+)")


def spread(document):
    """Replaces each table by lines with columns, inner tables first."""
    tables = [document.TextTables.getByIndex(index) for index in range(document.TextTables.Count)]
    for table in sorted(tables, key=depth, reverse=True):
        lines = aligned(cells_of(table))
        if lines:
            # The lines of a table of one cell stand in the text as they are.
            table.Rows.removeByIndex(1, table.Rows.Count - 1)
            table.Columns.removeByIndex(1, table.Columns.Count - 1)
            cell = table.getCellByName("A1")
            cell.setString("\n".join(lines))
            # Otherwise the first cell's list would number the lines.
            for paragraph in parts(cell):
                paragraph.NumberingStyleName = ""


def depth(table):
    """How many tables it is in."""
    outer = getattr(table.Anchor, "TextTable", None)
    return 1 + depth(outer) if outer is not None else 0


def cells_of(table):
    """Lines of each cell, by row and column. None if cells are split, and have names such as A1.1.2."""
    rows = {}
    for name in table.CellNames:
        place = CELL.fullmatch(name)
        if not place:
            return None
        rows.setdefault(int(place[2]), []).append((place[1], lines_of(table.getCellByName(name))))
    return [[lines for _, lines in sorted(row, key=lambda cell: (len(cell[0]), cell[0]))] for _, row in sorted(rows.items())]


def lines_of(cell):
    """The lines of a cell, with the numbers of lists. Inner tables are lines in their first cell by now, or cell after cell."""
    lines = []
    for part in parts(cell):
        if hasattr(part, "CellNames"):
            lines += [line for name in part.CellNames for line in lines_of(part.getCellByName(name))]
        else:
            lines += f"{part.ListLabelString} {part.String}".strip().split("\n")
    return lines


def aligned(rows):
    """The lines of a table. None if it has one row or column, is ragged or too wide."""
    if not rows or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2 or len(rows) < 2:
        return None
    widths = [max(width(line) for cell in column for line in cell) for column in zip(*rows)]
    if sum(widths) + len(GAP) * (len(widths) - 1) > WIDEST:
        return None
    lines = []
    for row in rows:
        for index in range(max(map(len, row))):
            parts = [cell[index] if index < len(cell) else "" for cell in row]
            padded = [part + " " * (size - width(part)) for part, size in zip(parts, widths)]
            lines.append(GAP.join(padded).rstrip())
    return lines


def width(text):
    """Columns of a text: wide letters of East Asia take two, marks above others none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text
    )
