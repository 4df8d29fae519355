"""The parts of a workbook of Office Open XML (ECMA-376 part 1, §12.3)."""

import os
from xml.etree.ElementTree import iterparse

from binary_workbook import sheet_links

WORKBOOK, BINARY = "xl/workbook.xml", "xl/workbook.bin"


def head(path, size):
    """The first bytes. A compound file may contain a ZIP file, which zipfile would find."""
    with open(path, "rb") as file:
        return file.read(size)


def local(name):
    """A name without its namespace: strict and transitional files differ in it."""
    return name.rpartition("}")[2]


def members(package):
    """The real names of members by the names that they should have: some have backslashes or capitals."""
    return {name.replace("\\", "/").lower(): name for name in package.namelist()}


def worksheets(package):
    """The member of each sheet by the sheet's name. Empty for other packages."""
    names = members(package)
    book = next((name for name in (WORKBOOK, BINARY) if name in names), None)
    relations = names.get(f"xl/_rels/{os.path.basename(book)}.rels") if book else None
    if relations is None:
        return {}
    with package.open(relations) as content:
        targets = {one.get("Id"): one.get("Target", "") for _, one in iterparse(content)}
    found = {}
    with package.open(names[book]) as content:
        for sheet, link in (sheet_links(content) if book == BINARY else links(content)).items():
            target = targets.get(link, "").replace("\\", "/").lower()
            part = names.get(target[1:] if target.startswith("/") else f"xl/{target}")
            if part:
                found[sheet] = part
    return found


def links(content):
    """The relationship of each sheet by the sheet's name."""
    sheets = (one for _, one in iterparse(content) if local(one.tag) == "sheet")
    return {
        one.get("name", ""): next((value for name, value in one.items() if name.endswith("}id")), "") for one in sheets
    }
