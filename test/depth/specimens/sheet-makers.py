"""Writes a workbook with XlsxWriter or openpyxl: `sheet-makers.py MAKER BOOK.json OUTPUT`."""

import json
import sys

maker, source, output = sys.argv[1:]
book = json.load(open(source, encoding="utf8"))


def cells(sheet):
    for y, row in enumerate(sheet["rows"]):
        for x, cell in enumerate(row):
            if cell:
                yield y, x, cell


def stored(cell):
    kind, value = cell["kind"], cell["value"]
    if kind == "number":
        return float(value) if "." in value else int(value)
    return value == "true" if kind == "boolean" else cell["serial"] if kind in ("date", "time") else value


def by_xlsxwriter():
    import xlsxwriter

    target = xlsxwriter.Workbook(output)
    target.set_properties({"title": book["title"], "author": book["author"]})
    for sheet in book["sheets"]:
        page = target.add_worksheet(sheet["name"])
        for y, x, cell in cells(sheet):
            style = {"num_format": cell.get("format", "General"), "bold": cell.get("bold", False)}
            if "fill" in cell:
                style["bg_color"] = "#" + cell["fill"]
            style, value = target.add_format(style), stored(cell)
            if "formula" in cell:
                page.write_formula(y, x, "=" + cell["formula"], style, value)
            elif "link" in cell:
                page.write_url(y, x, cell["link"], string=value)
            elif isinstance(value, bool):
                page.write_boolean(y, x, value, style)
            elif isinstance(value, str):
                page.write_string(y, x, value, style)
            else:
                page.write_number(y, x, value, style)
            if "note" in cell:
                page.write_comment(y, x, cell["note"])
        for x, width in sheet.get("widths", {}).items():
            page.set_column(int(x), int(x), width)
        for y in sheet.get("hiddenRows", []):
            page.set_row(y, None, None, {"hidden": True})
        for x in sheet.get("hiddenColumns", []):
            page.set_column(x, x, None, None, {"hidden": True})
        for area in sheet.get("merged", []):
            first = next(cell for y, x, cell in cells(sheet) if xlsxwriter.utility.xl_rowcol_to_cell(y, x) == area.split(":")[0])
            page.merge_range(area, first["value"])
        if sheet.get("hidden"):
            page.hide()
    target.close()


def by_openpyxl():
    import openpyxl
    from openpyxl.comments import Comment
    from openpyxl.styles import Font, PatternFill

    target = openpyxl.Workbook()
    target.remove(target.active)
    target.properties.title, target.properties.creator = book["title"], book["author"]
    for sheet in book["sheets"]:
        page = target.create_sheet(sheet["name"])
        for y, x, cell in cells(sheet):
            # Formulas have no results: programs calculate them.
            place = page.cell(y + 1, x + 1)
            if "formula" in cell:
                place.value = "=" + cell["formula"]
            else:
                place.value = stored(cell)
                if cell["kind"] == "text":
                    place.data_type = "s"
            place.number_format = cell.get("format", "General")
            if cell.get("bold"):
                place.font = Font(bold=True)
            if "fill" in cell:
                place.fill = PatternFill("solid", fgColor="FF" + cell["fill"])
            if "link" in cell:
                place.hyperlink = cell["link"]
            if "note" in cell:
                place.comment = Comment(cell["note"], "Ida")
        letters = openpyxl.utils.get_column_letter
        for x, width in sheet.get("widths", {}).items():
            page.column_dimensions[letters(int(x) + 1)].width = width
        for y in sheet.get("hiddenRows", []):
            page.row_dimensions[y + 1].hidden = True
        for x in sheet.get("hiddenColumns", []):
            page.column_dimensions[letters(x + 1)].hidden = True
        for area in sheet.get("merged", []):
            page.merge_cells(area)
        if sheet.get("hidden"):
            page.sheet_state = "hidden"
    target.save(output)


{"xlsxwriter": by_xlsxwriter, "openpyxl": by_openpyxl}[maker]()
