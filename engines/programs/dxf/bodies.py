"""Wire frames of bodies (3DSOLID, REGION, surfaces), which ezdxf leaves out: the edges that their ACIS data name."""

import math

from ezdxf.acis.sab import Decoder
from ezdxf.math import BSpline, Matrix44, Vec3
from ezdxf.path import from_vertices

KINDS = ("3DSOLID", "BODY", "REGION", "SURFACE", "EXTRUDEDSURFACE", "LOFTEDSURFACE", "REVOLVEDSURFACE", "SWEPTSURFACE")
# Chords of a whole circle, and of a curve by control points.
ROUND, CURVED = 96, 32
# Lines before the first record, and the kinds of values in binary data (ACIS, SAB).
HEADER = 3
POINTER, REVERSED, FORWARD, PLACES = 12, 10, 11, (19, 20)


def wires(entity):
    """Paths along the edges of a body. Without any edge, spheres and rings are drawn as circles."""
    records = binary(entity) or text(entity)
    edges = [path for record in records if record[0] == "edge" for path in edge(record, records)]
    lines = edges or [circle for record in records if record[0] == "face" for circle in rounded(record, records)]
    moves = [placing(record) for record in records if record[0] == "transform"]
    for line in lines:
        yield from_vertices(moves[0].transform_vertices(line) if moves else line)


def text(entity):
    """Names and values of each record, of data as text."""
    return [part.split() or [""] for part in "".join(getattr(entity, "sat", ())[HEADER:]).split("#")]


def binary(entity):
    """The same for the binary data that drawings since 2013 have."""
    if not getattr(entity, "has_binary_data", False) or not entity.sab:
        return []
    decoder = Decoder(entity.sab)
    decoder.read_header()
    return [[record[0].value, *(word for token in record[1:] for word in words(token))] for record in decoder.read_records()]


def words(token):
    tag, value = token
    if tag == POINTER:
        return [f"${value}"]
    if tag in PLACES:
        return [str(number) for number in value]
    return [{REVERSED: "reversed", FORWARD: "forward"}.get(tag, str(value))]


def edge(record, records):
    """The points along an edge, from its first corner to its second; nothing if it has none."""
    ends, curve = [], None
    for at, word in enumerate(record):
        target = referred(word, records)
        if target[0] == "vertex":
            point = next((one for one in (referred(word, records) for word in target[1:]) if one[0] == "point"), None)
            ends.append((Vec3(numbers(point)[:3]), number(record[at + 1]))) if point else None
        elif target[0].endswith("-curve"):
            curve = target
    if not curve or len(ends) != 2:
        return []
    sign = -1 if "reversed" in record else 1
    (first, low), (last, high) = ends
    sides = None if low is None or high is None else sorted((sign * low, sign * high))
    try:
        points = {"ellipse-curve": ellipse, "intcurve-curve": spline}[curve[0]](curve, sides, first, last)
    except (KeyError, ValueError, IndexError, ZeroDivisionError):
        points = [first, last]
    return [points]


def ellipse(curve, sides, first, last):
    centre, normal, major = (Vec3(numbers(curve)[at : at + 3]) for at in (0, 3, 6))
    minor = normal.normalize().cross(major) * numbers(curve)[9]
    if sides is None:
        sides = [math.atan2((end - centre).dot(minor) / minor.magnitude, (end - centre).dot(major) / major.magnitude)
                 for end in (first, last)]  # fmt: skip
    low, high = sides
    if high - low < 1e-9:
        high += 2 * math.pi
    return arc(centre, major, minor, low, high)


def arc(centre, major, minor, low=0, high=2 * math.pi):
    count = max(2, math.ceil(ROUND * (high - low) / (2 * math.pi)))
    angles = [low + (high - low) * at / count for at in range(count + 1)]
    return [centre + major * math.cos(angle) + minor * math.sin(angle) for angle in angles]


def spline(curve, sides, *_):
    at = next(at for at, word in enumerate(curve) if word in ("nubs", "nurbs"))
    rational, values = curve[at] == "nurbs", [number(word) for word in curve[at + 1 :]]
    degree, count = int(values[0]), int(values[2])
    pairs = [values[3 + 2 * one : 5 + 2 * one] for one in range(count)]
    knots = [knot for knot, times in pairs for _ in range(int(times))]
    # ACIS leaves out the first and the last knot.
    knots = [knots[0], *knots, knots[-1]]
    size = 4 if rational else 3
    start = 3 + 2 * count
    rows = [values[start + size * one : start + size * (one + 1)] for one in range(len(knots) - degree - 1)]
    drawn = BSpline([row[:3] for row in rows], degree + 1, knots, [row[3] for row in rows] if rational else None)
    low, high = sides or (knots[0], knots[-1])
    low, high = max(low, knots[0]), min(high, knots[-1])
    return list(drawn.points(low + (high - low) * at / CURVED for at in range(CURVED + 1)))


def rounded(face, records):
    """Circles of a whole sphere or ring: such a face has no edge (loop)."""
    near = [referred(word, records) for word in face]
    record = next((one for one in near if one[0] in ("sphere-surface", "torus-surface")), None)
    if not record or any(one[0] == "loop" for one in near):
        return
    values = numbers(record)
    centre = Vec3(values[:3])
    if record[0] == "sphere-surface":
        x, y, z = (axis * values[3] for axis in (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)))
        yield from (arc(centre, x, y), arc(centre, y, z), arc(centre, x, z))
        return
    up, (far, near) = Vec3(values[3:6]).normalize(), values[6:8]
    x = up.orthogonal() if up.z < 0.9 else Vec3(1, 0, 0)
    x = x.normalize()
    y = up.cross(x)
    yield from (arc(centre, x * side, y * side) for side in (far - near, far + near))
    for out in (x, y, -x, -y):
        yield arc(centre + out * far, out * near, up * near)


def placing(record):
    """The matrix of a body: at the end, nine numbers that turn it, three that move it, and its size."""
    values = numbers(record)[-13:]
    a, b, c = (Vec3(values[at : at + 3]) * values[12] for at in (0, 3, 6))
    return Matrix44([*a, 0, *b, 0, *c, 0, *values[9:12], 1])


def referred(word, records):
    at = int(word[1:]) if word[:1] == "$" and word[1:].isdigit() else len(records)
    return records[at] if at < len(records) else [""]


def numbers(record):
    """The numbers behind the references of a record."""
    after = max((at for at, word in enumerate(record) if word.startswith("$")), default=0)
    return [value for value in map(number, record[after + 1 :]) if value is not None]


def number(word):
    try:
        return float(word)
    except ValueError:
        return {"open": 0.0, "closed": 1.0, "periodic": 2.0}.get(word)
