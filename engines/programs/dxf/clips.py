"""Clips of blocks (XCLIP): the part of a reference to a block that is shown (DXF reference, SPATIAL_FILTER)."""

from ezdxf.math import Matrix44, Vec3

# Group codes of the filter.
POINT, NUMBER, SHOWN = 10, 40, 71
INVERTED = "ACAD_INVERTEDCLIP_ROUNDTRIP"


def clip_of(insert):
    """The corners of the shown part in the drawing, or nothing. A clip that hides its inside is left out."""
    if not insert.has_extension_dict:
        return None
    filters = insert.get_extension_dict().dictionary.get("ACAD_FILTER")
    if filters is None or INVERTED in filters or filters.get("SPATIAL") is None:
        return None
    tags = [tag for part in filters.get("SPATIAL").xtags.subclasses for tag in part]
    points = [Vec3(tag.value) for tag in tags if tag.code == POINT]
    if len(points) < 2 or not next((tag.value for tag in tags if tag.code == SHOWN), 1):
        return None
    if len(points) == 2:
        (left, low, _), (right, high, _) = points
        points = [Vec3(left, low), Vec3(right, low), Vec3(right, high), Vec3(left, high)]
    # Distances to the planes in front and behind come before the matrices, if there are any.
    numbers = [tag.value for tag in tags if tag.code == NUMBER][-24:]
    if len(numbers) < 24:
        return None
    to_clip, to_block = matrix(numbers[12:]), matrix(numbers[:12])
    to_clip.inverse()
    return list((to_clip @ to_block @ insert.matrix44()).transform_vertices(points))


def matrix(numbers):
    """Three rows of four numbers, of which the last moves, for columns of coordinates."""
    a, b, c = numbers[0:4], numbers[4:8], numbers[8:12]
    return Matrix44([x for column in zip(a, b, c, (0, 0, 0, 1)) for x in column])


class Clip:
    """The shown part of a block, within that of the block around it."""

    def __init__(self, corners, outer):
        self.corners, self.outer = corners, outer
        across, down = [x for x, _ in corners], [y for _, y in corners]
        self.box = (min(across), min(down), max(across), max(down))

    def within(self, box):
        """What of a box may be shown; None if nothing."""
        left, low, right, high = self.box
        part = (max(box[0], left), max(box[1], low), min(box[2], right), min(box[3], high))
        if part[0] > part[2] or part[1] > part[3]:
            return None
        return self.outer.within(part) if self.outer else part
