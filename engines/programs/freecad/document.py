"""The visible shapes of a FreeCAD document, read without running code from the document."""

import os
import tempfile
import zipfile
from xml.etree import ElementTree

import Part
from FreeCAD import Placement, Rotation, Vector

# Most bytes of a document's XML and of one shape, unpacked.
MOST = 512 << 20


def shapes_of(path):
    """All visible shapes in their positions, as one shape. None if there are none."""
    with zipfile.ZipFile(path) as package:
        tree = parse(package, "Document.xml")
        hidden = invisible(package)
        objects = {entry.get("name"): entry for entry in tree.iterfind("ObjectData/Object")}
        types = {entry.get("name"): entry.get("type") for entry in tree.iterfind("Objects/Object")}
        holders = parents(objects)
        found = []
        for name, entry in objects.items():
            holder = holders.get(name)
            # A body already contains the shape of its last feature.
            in_body = holder is not None and types.get(holder) == "PartDesign::Body"
            file = entry.find("Properties/Property[@name='Shape']/Part")
            if in_body or name in hidden or file is None or not file.get("file"):
                continue
            shape = read(package, file.get("file"))
            if shape is None or not shape.Faces:
                continue
            while holder is not None:
                shape.Placement = placement(objects[holder]).multiply(shape.Placement)
                holder = holders.get(holder)
            found.append(shape)
    return Part.makeCompound(found) if len(found) > 1 else found[0] if found else None


def parse(package, name):
    with package.open(name) as member:
        text = member.read(MOST)
    # FreeCAD declares no entities. Expanding those of an attacker could fill the memory.
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise ValueError("declarations in a table")
    return ElementTree.fromstring(text)


def invisible(package):
    if "GuiDocument.xml" not in package.namelist():
        return set()
    providers = parse(package, "GuiDocument.xml").iterfind("ViewProviderData/ViewProvider")
    off = "Properties/Property[@name='Visibility']/Bool[@value='false']"
    return {provider.get("name") for provider in providers if provider.find(off) is not None}


def parents(objects):
    """The group of each object, by name. Groups that contain themselves are left out."""
    holders = {}
    for name, entry in objects.items():
        for link in entry.iterfind("Properties/Property[@name='Group']/LinkList/Link"):
            child, above = link.get("value"), name
            while above is not None and above != child:
                above = holders.get(above)
            if above is None and child in objects:
                holders[child] = name
    return holders


def placement(entry):
    found = entry.find("Properties/Property[@name='Placement']/PropertyPlacement")
    if found is None:
        return Placement()
    number = lambda key: float(found.get(key, "0"))  # noqa: E731
    turn = Rotation(number("Q0"), number("Q1"), number("Q2"), number("Q3"))
    return Placement(Vector(number("Px"), number("Py"), number("Pz")), turn)


def read(package, name):
    """A shape from the document, or None if it is missing."""
    if name not in package.namelist():
        return None
    with tempfile.NamedTemporaryFile(suffix=".brep") as file, package.open(name) as member:
        file.write(member.read(MOST))
        file.flush()
        if os.path.getsize(file.name) == 0:
            return None
        shape = Part.Shape()
        shape.read(file.name)
        return None if shape.isNull() else shape
