"""The parts of a workbook of Office Open XML (ECMA-376 part 1, §12.3)."""

from xml.etree.ElementTree import iterparse

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # MS-CFB §2.2
WORKBOOK = "xl/workbook.xml"


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
    links = "xl/_rels/workbook.xml.rels"
    if WORKBOOK not in names or links not in names:
        return {}
    with package.open(names[links]) as content:
        targets = {one.get("Id"): one.get("Target", "") for _, one in iterparse(content)}
    found = {}
    with package.open(names[WORKBOOK]) as content:
        for _, element in iterparse(content):
            if local(element.tag) == "sheet":
                link = next((value for name, value in element.items() if local(name) == "id" and "}" in name), None)
                target = targets.get(link, "").replace("\\", "/").lower()
                part = names.get(target[1:] if target.startswith("/") else f"xl/{target}")
                if part:
                    found[element.get("name", "")] = part
    return found
