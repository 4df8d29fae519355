"""Prints a spreadsheet as JSON, as `specimens/sheet-books.ts` describes it: `sheets.py PATH FORMAT`. Widths are in millimetres."""

import datetime
import json
import sys

from open_sheets import opened


def plain(number):
    """Notation of a number without an exponent or a fraction that is zero."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(number)


def moment(value):
    """A date by ISO 8601, or the days of a time."""
    if isinstance(value, datetime.datetime) or type(value) is datetime.date:
        told = value.isoformat().split(".")[0]
        return {"kind": "date", "value": told.removesuffix("T00:00:00")}
    if isinstance(value, datetime.time):
        value = datetime.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
    return {"kind": "time", "value": str(value.total_seconds() / 86400)}


def valued(value):
    if isinstance(value, bool):
        return {"kind": "boolean", "value": str(value).lower()}
    if isinstance(value, (int, float)):
        return {"kind": "number", "value": plain(value)}
    if isinstance(value, str):
        return {"kind": "text", "value": value}
    return moment(value)


def excel(path):
    import openpyxl
    from openpyxl.utils import column_index_from_string as index

    book, formulas = openpyxl.load_workbook(path, data_only=True), openpyxl.load_workbook(path)
    sheets = []
    for page in book.worksheets:
        rows = []
        for line, sources in zip(page.iter_rows(), formulas[page.title].iter_rows()):
            row = []
            for cell, source in zip(line, sources):
                if cell.value is None and source.data_type != "f":
                    row.append(None)
                    continue
                one = {"kind": "error", "value": cell.value} if cell.data_type == "e" else valued("" if cell.value is None else cell.value)
                if source.data_type == "f":
                    one["formula"] = str(source.value).removeprefix("=")
                if cell.hyperlink:
                    one["link"] = cell.hyperlink.target
                if source.comment:
                    one["note"] = source.comment.text
                one |= {"format": cell.number_format, "bold": bool(cell.font.b)}
                if cell.fill.patternType == "solid" and cell.fill.fgColor.type == "rgb":
                    one["fill"] = cell.fill.fgColor.rgb[-6:]
                row.append(one)
            rows.append(row)
        columns = [(dimension, start - 1, end) for letters, dimension in page.column_dimensions.items() for start, end in [(dimension.min or index(letters), dimension.max or index(letters))]]
        sheets.append(
            {
                "name": page.title,
                "hidden": page.sheet_state != "visible",
                "rows": rows,
                "hiddenRows": [y - 1 for y, dimension in page.row_dimensions.items() if dimension.hidden and y <= page.max_row],
                "hiddenColumns": [x for dimension, start, end in columns if dimension.hidden for x in range(start, min(end, page.max_column))],
                "widths": {x: (dimension.width * 7 + 5) / 96 * 25.4 for dimension, start, end in columns for x in range(start, min(end, 50))},
                "merged": sorted(str(area) for area in page.merged_cells.ranges),
            }
        )
    return {"sheets": sheets, "title": book.properties.title, "author": book.properties.creator}


def old_excel(path):
    import xlrd

    book = xlrd.open_workbook(path, formatting_info=True)

    def told(cell, page, place):
        style = book.xf_list[cell.xf_index]
        form = book.format_map[style.format_key].format_str
        if cell.ctype == xlrd.XL_CELL_BOOLEAN:
            one = valued(bool(cell.value))
        elif cell.ctype == xlrd.XL_CELL_ERROR:
            one = {"kind": "error", "value": xlrd.error_text_from_code[cell.value]}
        elif cell.ctype == xlrd.XL_CELL_DATE:
            is_time = not set("yd") & set(form.lower())
            one = {"kind": "time", "value": repr(cell.value)} if is_time else moment(xlrd.xldate_as_datetime(cell.value, book.datemode))
        else:
            one = valued(cell.value)
        font, fill = book.font_list[style.font_index], style.background
        one |= {"format": form, "bold": font.weight >= 700}
        if fill.fill_pattern == 1 and book.colour_map.get(fill.pattern_colour_index):
            one["fill"] = "%02X%02X%02X" % book.colour_map[fill.pattern_colour_index]
        if place in page.cell_note_map:
            one["note"] = page.cell_note_map[place].text
        if place in page.hyperlink_map:
            one["link"] = page.hyperlink_map[place].url_or_path
            one["link"] = one["link"].decode() if isinstance(one["link"], bytes) else one["link"]
        return one

    empty = (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)
    sheets = [
        {
            "name": page.name,
            "hidden": page.visibility != 0,
            "rows": [[None if cell.ctype in empty else told(cell, page, (y, x)) for x, cell in enumerate(page.row(y))] for y in range(page.nrows)],
            "hiddenRows": [y for y, row in page.rowinfo_map.items() if row.hidden and y < page.nrows],
            "hiddenColumns": [x for x, column in page.colinfo_map.items() if column.hidden and x < page.ncols],
            "widths": {x: (column.width / 256 * 7 + 5) / 96 * 25.4 for x, column in page.colinfo_map.items() if x < 50},
            "merged": sorted(f"{xlrd.cellname(top, left)}:{xlrd.cellname(bottom - 1, right - 1)}" for top, bottom, left, right in page.merged_cells),
        }
        for page in book.sheets()
    ]
    return {"sheets": sheets}


def lists(value):
    """Tables of JSON or YAML: a list of records or of rows, or several by name."""
    # Elements of XML, whose attributes are declarations.
    while isinstance(value, dict) and len(members := [one for name, one in value.items() if name[0] != "@"]) == 1 and not isinstance(members[0], str):
        value = members[0]
    if isinstance(value, list):
        value = {"": value}
    return {"sheets": [{"name": str(name), "rows": table(rows)} for name, rows in value.items()]}


def table(rows):
    if not isinstance(rows, list):
        return [[valued(str(rows))]]
    if rows and isinstance(rows[0], dict):
        names = list(dict.fromkeys(name for row in rows for name in row))
        rows = [names, *([row.get(name) for name in names] for row in rows)]
    return [[None if cell is None or cell == "" else valued(cell) if not isinstance(cell, (list, dict)) else valued(json.dumps(cell)) for cell in row] for row in rows]


def separated(path, delimiter):
    import csv

    with open(path, encoding="utf-8", newline="") as file:
        return {"sheets": [{"name": "", "rows": [[valued(cell) if cell else None for cell in row] for row in csv.reader(file, delimiter=delimiter)]}]}


def yaml(path):
    import yaml

    with open(path, encoding="utf8") as file:
        return lists(yaml.safe_load(file))


def js(path):
    with open(path, encoding="utf8") as file:
        return lists(json.load(file))


readers = {
    **dict.fromkeys(("xlsx", "xlsm"), excel),
    **dict.fromkeys(("ods", "fods"), opened),
    **{"xls": old_excel, "yaml": yaml, "json": js},
    **{"csv": lambda path: separated(path, ","), "tsv": lambda path: separated(path, "\t")},
}

if __name__ == "__main__":
    path, format = sys.argv[1:]
    print(json.dumps(readers[format](path)))
