"""Reads DXF drawings, also binary ones and those that lack parts which the format requires."""

import io
import re

from ezdxf import DXFError, recover
from ezdxf.entities import DXFTagStorage, factory
from ezdxf.lldxf.tagger import binary_tags_loader

BINARY = b"AutoCAD Binary DXF\r\n\x1a\x00"
# Most damaged entities that are skipped. A drawing with more counts as damaged.
MOST_LEFT_OUT = 20

# Subclasses of entities that ezdxf cannot read without their marker (group 100), which some exporters leave out.
MARKERS = {
    "HATCH": "AcDbHatch",
    "LEADER": "AcDbLeader",
    "LWPOLYLINE": "AcDbPolyline",
    "MTEXT": "AcDbMText",
    "SPLINE": "AcDbSpline",
}
# Common group codes for entities, which come before the entity's own (DXF reference).
COMMON = {5, 6, 8, 48, 60, 62, 67, 92, 102, 160, 284, 310, 330, 347, 360, 370, 390, 410, 420, 430, 440}

# Nothing that is drawn, and some programs leave out its data.
UNSEEN = {b"VIEWPORT"}
# Entities whose parts follow them.
PARTS = {b"POLYLINE": b"VERTEX", b"INSERT": b"ATTRIB"}
# A letter by its number, or what is left of it where a long text is cut. ezdxf reads only whole ones, in capitals.
NUMBERED = re.compile(rb"\\U\+(?:[0-9A-Fa-f]{4})?")
# An entry of a dictionary for nothing: LibreDWG loses layouts whose names are not ASCII.
NOTHING = re.compile(rb"^ *3\r?\n\r?\n *350\r?\n0\r?\n", re.MULTILINE)

FAULTS = (DXFError, OSError, ValueError, UnicodeError, IndexError, KeyError, AttributeError, TypeError)


def read(path):
    """The document, and the types of the skipped entities. Raises one of FAULTS."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(BINARY):
        data = as_text(data)
    data = NUMBERED.sub(lambda found: found[0].upper() if len(found[0]) > 3 else b"", data)
    left_out = []
    factory.load = lambda tags, doc=None: loaded(tags, doc, left_out)
    for attempt in range(MOST_LEFT_OUT + 1):
        try:
            return recover.read(io.BytesIO(data))[0], left_out
        except FAULTS as fault:
            if attempt == 0:
                data = with_markers(data)
                continue
            handle = re.search(r"\(#([0-9A-Fa-f]+)\)", str(fault))
            kind, rest = without(data, handle[1]) if handle else (None, data)
            if kind is None or attempt == MOST_LEFT_OUT:
                raise
            left_out.append(kind)
            data = rest


strictly = factory.load


def loaded(tags, doc, left_out):
    """An entity. Of one that ezdxf cannot read, the lines that its program stored, if there are any."""
    common = tags.get_subclass("AcDbEntity") if tags.has_subclass("AcDbEntity") else None
    # ezdxf takes the lines out before it reads the rest.
    whole = tags.clone() if common and common.has_tag(310) else tags
    try:
        entity = strictly(tags, doc)
    except FAULTS:
        if not common:
            raise
        entity = DXFTagStorage.load(whole, doc)
        left_out.append(entity.dxftype()) if not entity.proxy_graphic else None
    if common and isinstance(entity, DXFTagStorage):
        entity.dxf.__dict__.update(layer=common.get_first_value(8, "0"), color=common.get_first_value(62, 256))
    return entity


def as_text(data):
    """A binary drawing as text, with all digits of its numbers."""
    lines = []
    for code, value in binary_tags_loader(data):
        text = value.hex().upper() if isinstance(value, bytes) else value if isinstance(value, str) else repr(value)
        # Text DXF has this for a line break.
        text = re.sub(r"\r?\n", "^J", text)
        lines.append(f"{code:3d}\n{text}\n")
    return "".join(lines).encode("utf8", "surrogateescape")


def pairs(data):
    """The code and the value of each pair of lines, unchanged."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return [(lines[at], lines[at + 1]) for at in range(0, len(lines) - 1, 2)]


def entities(data):
    """Lists of pairs that each begin with group 0. The first list is what comes before them."""
    found = [[]]
    for pair in pairs(data):
        if pair[0].strip() == b"0":
            found.append([])
        found[-1].append(pair)
    return found


def joined(found):
    return b"".join(code + b"\n" + value + b"\n" for entity in found for code, value in entity)


def with_markers(data):
    found = entities(NOTHING.sub(b"", data))
    return joined(marked(entity) for entity in ended(found) if not entity or entity[0][1].strip() not in UNSEEN)


def ended(found):
    """The entities with an end (SEQEND) of each that has parts behind it. LibreDWG leaves out some, of old drawings."""
    part = None
    for entity in found:
        kind = entity[0][1].strip() if entity else b""
        if part and kind not in (part, b"SEQEND"):
            yield [(b"0", b"SEQEND")]
        if kind != part:
            part = PARTS.get(kind)
        if kind == b"INSERT" and not any(code.strip() == b"66" and number(value) > 0 for code, value in entity):
            part = None
        yield entity


def marked(entity):
    kind = MARKERS.get(entity[0][1].strip().decode("latin1")) if entity else None
    markers = {value.strip() for code, value in entity if code.strip() == b"100"}
    if kind is None or {b"AcDbEntity", kind.encode()} <= markers:
        return entity
    own = next((at for at, (code, _) in enumerate(entity[1:], 1) if number(code) not in COMMON), len(entity))
    body = [pair for pair in entity[1:own] if pair[0].strip() != b"100"]
    handle = [pair for pair in body if number(pair[0]) in (5, 102, 330, 360)]
    common = [pair for pair in body if pair not in handle]
    marker = [(b"100", b"AcDbEntity"), *common, (b"100", kind.encode())]
    return [entity[0], *handle, *marker, *(pair for pair in entity[own:] if pair[0].strip() != b"100")]


def number(code):
    try:
        return int(code)
    except ValueError:
        return -1


def without(data, handle):
    """The type of the entity with that handle, and the drawing without it. (None, data) if there is none."""
    found = entities(data)
    for at, entity in enumerate(found):
        if any(code.strip() == b"5" and value.strip().upper() == handle.upper().encode() for code, value in entity):
            return entity[0][1].strip().decode("latin1"), joined(found[:at] + found[at + 1 :])
    return None, data
