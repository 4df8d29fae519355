"""Reads OpenDocument spreadsheets (OpenDocument 1.3 part 3)."""

import re
import zipfile
import xml.etree.ElementTree as tree

SPACES = {
    "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0": "fo",
    "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://purl.org/dc/elements/1.1/": "dc",
    "urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0": "number",
}


def short(name):
    space, _, local = name.rpartition("}")
    space = space[1:]
    return f"{SPACES.get(space) or space.removesuffix(':1.0').split(':')[-1]}:{local}"


def shorten(root):
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = short(element.tag)
            element.attrib = {short(name): value for name, value in element.attrib.items()}
    return root


def parts(path):
    if not zipfile.is_zipfile(path):
        return [shorten(tree.parse(path).getroot())]
    with zipfile.ZipFile(path) as package:
        names = [name for name in ("content.xml", "styles.xml", "meta.xml") if name in package.namelist()]
        return [shorten(tree.fromstring(package.read(name))) for name in names]


def said(element):
    """Text of a paragraph."""
    told = element.text or ""
    for inner in element:
        if inner.tag == "text:s":
            told += " " * int(inner.get("text:c", 1))
        elif inner.tag == "text:tab":
            told += "\t"
        elif inner.tag == "text:line-break":
            told += "\n"
        elif inner.tag != "office:annotation":
            told += said(inner)
        told += inner.tail or ""
    return told


def lines(element):
    return "\n".join(said(one) for one in element.findall("text:p"))


def valued(cell):
    kind, text = cell.get("office:value-type"), lines(cell)
    if cell.get("calcext:value-type") == "error":
        return {"kind": "error", "value": text}
    if kind == "boolean":
        return {"kind": "boolean", "value": cell.get("office:boolean-value")}
    if kind == "date":
        return {"kind": "date", "value": cell.get("office:date-value").removesuffix("T00:00:00")}
    if kind == "time":
        hours, minutes, seconds = re.fullmatch(r"PT(\d+)H(\d+)M([\d.]+)S", cell.get("office:time-value")).groups()
        return {"kind": "time", "value": str((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) / 86400)}
    if kind in ("float", "percentage", "currency"):
        return {"kind": "number", "value": cell.get("office:value")}
    return {"kind": "text", "value": cell.get("office:string-value", text)}


def column_name(x):
    return chr(65 + x) if x < 26 else column_name(x // 26 - 1) + column_name(x % 26)


def opened(path):
    roots = parts(path)
    every = [element for root in roots for element in root.iter() if isinstance(element.tag, str)]
    styles = {(one.get("style:family"), one.get("style:name")): one for one in every if one.tag == "style:style"}

    def told(family, name, key):
        style = styles.get((family, name))
        if style is None:
            return None
        own = next((inner.get(key) for inner in style if inner.get(key)), None)
        return own or told(family, style.get("style:parent-style-name"), key)

    def sheet(table):
        rows, hidden_rows, merged, hidden_columns, widths, usual = [], [], [], [], {}, []
        x = 0
        for column in table.iter("table:table-column"):
            for _ in range(min(int(column.get("table:number-columns-repeated", 1)), 100)):
                width = told("table-column", column.get("table:style-name"), "style:column-width")
                number, unit = re.fullmatch(r"([\d.]+)(\w+)", width).groups() if width else (0, "mm")
                widths[x] = float(number) * {"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72}[unit]
                usual.append(column.get("table:default-cell-style-name"))
                if column.get("table:visibility") in ("collapse", "filter"):
                    hidden_columns.append(x)
                x += 1
        for line in table.iter("table:table-row"):
            row = []
            for cell in line:
                if cell.tag not in ("table:table-cell", "table:covered-table-cell"):
                    continue
                one = None
                if cell.get("office:value-type") or cell.get("table:formula"):
                    one = valued(cell)
                    style = cell.get("table:style-name") or (usual[len(row)] if len(row) < len(usual) else None)
                    one["bold"] = told("table-cell", style, "fo:font-weight") == "bold"
                    fill = told("table-cell", style, "fo:background-color")
                    if fill and fill != "transparent":
                        one["fill"] = fill[1:].upper()
                    if cell.get("table:formula"):
                        one["formula"] = re.sub(r"\[\.(\w+)(?::\.(\w+))?\]", lambda m: ":".join(filter(None, m.groups())), cell.get("table:formula").split("=", 1)[1]).replace(";", ",")
                    for link in cell.iter("text:a"):
                        one["link"] = link.get("xlink:href")
                    for note in cell.iter("office:annotation"):
                        one["note"] = lines(note)
                across, down = (int(cell.get(f"table:number-{axis}-spanned", 1)) for axis in ("columns", "rows"))
                if across > 1 or down > 1:
                    merged.append(f"{column_name(len(row))}{len(rows) + 1}:{column_name(len(row) + across - 1)}{len(rows) + down}")
                row += [one] * min(int(cell.get("table:number-columns-repeated", 1)), 100)
            for _ in range(min(int(line.get("table:number-rows-repeated", 1)), 100)):
                if line.get("table:visibility") in ("collapse", "filter"):
                    hidden_rows.append(len(rows))
                rows.append(row)
        while rows and not any(rows[-1]):
            rows.pop()
        end = max((index + 1 for row in rows for index, cell in enumerate(row) if cell), default=0)
        return {
            "name": table.get("table:name"),
            "hidden": told("table", table.get("table:style-name"), "table:display") == "false",
            "rows": [row[:end] for row in rows],
            "hiddenRows": [y for y in hidden_rows if y < len(rows)],
            "hiddenColumns": [x for x in hidden_columns if x < end],
            "widths": widths,
            "merged": sorted(merged),
        }

    def described(*names):
        return next((one.text for name in names for one in every if one.tag == name), None)

    return {
        "sheets": [sheet(table) for table in every if table.tag == "table:table"],
        "title": described("dc:title"),
        "author": described("meta:initial-creator", "dc:creator"),
    }
