"""Draws what ezdxf does not: bodies, tolerances, and the frames and names of files outside the drawing."""

import math
import re

import bodies
from ezdxf.entities import Text
from ezdxf.math import Matrix44, Vec3
from ezdxf.path import from_vertices

UNDERLAYS = ("PDFUNDERLAY", "DWFUNDERLAY", "DGNUNDERLAY")
FRAMED = ("IMAGE", *UNDERLAYS)
# The signs of the font GDT (ISO 1101), by its letters.
SIGNS = dict(zip("abcdefghijklmnprstu", "∠⟂⏥⌓○⫽⌭↗⌯⌖⌒ⓁⓂ⌀Ⓟ◎Ⓢ⌰⏤"))
SIGN, FORMAT, CELL = re.compile(r"\{\\F[Gg][Dd][Tt];(.*?)\}"), re.compile(r"\\[A-Za-z][^;\\]*;|[{}]"), "%%v"


def draw(artist, entity, properties):
    """Whether the entity is one of those. `artist` draws paths and texts."""
    kind = entity.dxftype()
    if kind in bodies.KINDS:
        paths = list(bodies.wires(entity))
        # The lines that its program stored, for others to draw.
        if not paths and artist.stored(entity):
            return True
    elif kind in FRAMED:
        paths = list(framed(artist, entity, properties))
    elif kind == "TOLERANCE":
        paths = list(tolerance(artist, entity, properties))
    else:
        return False
    for path in paths:
        artist.path(path, properties)
    return bool(paths)


def framed(artist, entity, properties):
    """The frame of a picture or page outside the drawing, with the name of its file, as CAD programs show a missing one."""
    corners = frame(entity)
    if len(corners) < 3:
        return
    yield from_vertices(corners, close=True)
    definition = entity.image_def if entity.dxftype() == "IMAGE" else entity.get_underlay_def()
    name = re.split(r"[\\/]", definition.dxf.get("filename", "") if definition else "")[-1]
    low, side = corners[0], corners[1] - corners[0]
    height = min(side.magnitude / max(1, len(name)), (corners[2] - corners[1]).magnitude / 8)
    if name and height > 0:
        inside = side.normalize(height / 2) + (corners[2] - corners[1]).normalize(height / 2)
        artist.text(name, low + inside, height, math.degrees(math.atan2(side.y, side.x)), properties)


def frame(entity):
    if entity.dxftype() == "IMAGE":
        corners = entity.boundary_path_wcs()[:-1]
    else:
        dxf, corners = entity.dxf, [Vec3(corner) for corner in entity.boundary_path]
        if len(corners) == 2:
            (left, low, _), (right, high, _) = corners
            corners = [Vec3(left, low), Vec3(right, low), Vec3(right, high), Vec3(left, high)]
        placed = Matrix44.scale(*entity.scaling) @ Matrix44.z_rotate(math.radians(dxf.rotation))
        corners = entity.ocs().points_to_wcs(placed.transform_vertices(corners))
        corners = [corner + dxf.insert for corner in corners]
    # From the corner whose side goes most to the right, counter-clockwise.
    area = sum(one.x * next.y - one.y * next.x for one, next in zip(corners, [*corners[1:], *corners[:1]]))
    corners = corners if area > 0 else corners[::-1]
    turned = [[*corners[at:], *corners[:at]] for at in range(len(corners))]
    return max(turned, key=lambda ring: ring[1].x - ring[0].x, default=[]) if len(corners) > 2 else []


def tolerance(artist, entity, properties):
    """Lines of boxes, as wide as their text."""
    dxf, style = entity.dxf, entity.doc.dimstyles.get(entity.dxf.dimstyle) if entity.doc else None
    height = (style.dxf.get("dimtxt", 2.5) * (style.dxf.get("dimscale", 1) or 1)) if style else 2.5
    across = Vec3(dxf.get("x_axis_vector", (1, 0, 0))).normalize()
    up, angle = Vec3(-across.y, across.x), math.degrees(math.atan2(across.y, across.x))
    top = Vec3(dxf.insert) + up * height
    for line in dxf.get("content", "").split("^J"):
        left = top
        for cell in line.split(CELL):
            words = FORMAT.sub("", SIGN.sub(lambda found: "".join(SIGNS.get(c, c) for c in found[1]), cell))
            if not words.strip():
                continue
            right = left + across * (artist.width(words, height) + height)
            yield from_vertices([left, right, right - up * height * 2, left - up * height * 2], close=True)
            artist.text(words, left + across * height / 2 - up * height * 1.5, height, angle, properties)
            left = right
        top -= up * height * 2


def missing_drawing(insert):
    """The name of the file of a block that is outside the drawing and was not read, or nothing."""
    block = insert.block()
    head = block.block if block is not None else None
    if head is None or not (head.dxf.flags & 4) or len(block):
        return None
    return re.split(r"[\\/]", head.dxf.get("xref_path", "") or head.dxf.name)[-1]


def text_of(words, place, height, angle):
    return Text.new(dxfattribs={"text": words, "insert": place, "height": height, "rotation": angle})
