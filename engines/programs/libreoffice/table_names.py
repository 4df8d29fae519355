"""Formulas in tables of Excel that name only columns: LibreOffice needs the name of the table, too."""

import re

# [Column], [[#This Row],[Column]]; not Table[Column]
COLUMNS = re.compile(r"(?<![\w\].])\[(?:[^\[\]]|\[[^\[\]]*\])+\]")
BARE = re.compile(r"(\[#[^\[\]]*\];)([^\[\];]+)\]")  # as some libraries write: [[#This Row],Column]


def add_table_names(document, sheet, areas):
    """Completes the formulas in areas of a sheet."""
    ranges = document.DatabaseRanges
    tables = [(name, ranges.getByName(name).DataArea) for name in ranges.ElementNames] if areas else []
    for area in areas:
        name = next((name for name, own in tables if own.Sheet == area.Sheet and holds(own, area)), None)
        if name is None:
            continue
        cells = sheet.getCellRangeByPosition(area.StartColumn, area.StartRow, area.EndColumn, area.EndRow)
        before = cells.getFormulaArray()
        after = tuple(tuple(completed(formula, name) for formula in row) for row in before)
        if after != before:
            cells.setFormulaArray(after)


def holds(outer, inner):
    return (
        outer.StartRow <= inner.StartRow
        and inner.EndRow <= outer.EndRow
        and outer.StartColumn <= inner.StartColumn
        and inner.EndColumn <= outer.EndColumn
    )


def completed(formula, table):
    return COLUMNS.sub(lambda found: table + BARE.sub(r"\1[\2]]", found[0]), formula)
