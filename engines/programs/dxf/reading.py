"""Reads DXF drawings, also binary ones and those that leave out what the format requires."""

import io
import re

from ezdxf import DXFError, recover
from ezdxf.lldxf.tagger import binary_tags_loader

BINARY = b"AutoCAD Binary DXF\r\n\x1a\x00"
# Damaged entities that are left out of one drawing; with more, the drawing counts as damaged.
MOST_LEFT_OUT = 20

# Subclasses of entities that ezdxf does not read without their marker (group 100). Some exporters write none.
MARKERS = {
    "HATCH": "AcDbHatch",
    "LEADER": "AcDbLeader",
    "LWPOLYLINE": "AcDbPolyline",
    "MTEXT": "AcDbMText",
    "SPLINE": "AcDbSpline",
}
# Groups of every entity, which stand before those of its own kind (DXF reference, common group codes for entities).
COMMON = {5, 6, 8, 48, 60, 62, 67, 92, 102, 160, 284, 310, 330, 347, 360, 370, 390, 410, 420, 430, 440}

FAULTS = (DXFError, OSError, ValueError, UnicodeError, IndexError, KeyError, AttributeError, TypeError)


def read(path):
    """The document, and the types of the entities that were left out of it. Raises one of FAULTS."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(BINARY):
        data = as_text(data)
    left_out = []
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


def as_text(data):
    """A binary drawing as text; each number keeps all of its digits."""
    lines = []
    for code, value in binary_tags_loader(data):
        text = value.hex().upper() if isinstance(value, bytes) else value if isinstance(value, str) else repr(value)
        lines.append(f"{code:3d}\n{text}\n")
    return "".join(lines).encode("utf8", "surrogateescape")


def pairs(data):
    """Code and value of each pair of lines, as they are."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return [(lines[at], lines[at + 1]) for at in range(0, len(lines) - 1, 2)]


def entities(data):
    """Lists of pairs that begin with group 0, and before them what stands before the first."""
    found = [[]]
    for pair in pairs(data):
        if pair[0].strip() == b"0":
            found.append([])
        found[-1].append(pair)
    return found


def joined(found):
    return b"".join(code + b"\n" + value + b"\n" for entity in found for code, value in entity)


def with_markers(data):
    return joined(marked(entity) for entity in entities(data))


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
    """The type of the entity of that handle, and the drawing without it; (None, data) when there is none."""
    found = entities(data)
    for at, entity in enumerate(found):
        if any(code.strip() == b"5" and value.strip().upper() == handle.upper().encode() for code, value in entity):
            return entity[0][1].strip().decode("latin1"), joined(found[:at] + found[at + 1 :])
    return None, data
