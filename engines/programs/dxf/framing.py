"""Chooses the part of a drawing that is shown: strays far away from everything else would make the rest invisible."""

import math

from paint import box

# How many times as far away as the rest of the drawing is large. The rest would be less than 5 % of the picture.
FAR = 20
# In each direction, one stray is left out, or one among so many pieces.
ONE_IN = 100
# Fewest pieces that remain. Smaller drawings are shown whole, unless the strays are mere points.
FEWEST = 10


def framed(pieces):
    """The pieces to draw, and their extents ([left, low], [right, high]), which are infinite without any piece."""
    boxes = [box(piece) for piece in pieces]
    strays = far_away(boxes)
    dots = all(pieces[at][0] == "dot" for at in strays)
    rest = [at for at in range(len(pieces)) if at not in strays]
    if len(rest) < FEWEST and not (dots and any(pieces[at][0] != "dot" for at in rest)):
        return pieces, extents(boxes)
    return [pieces[at] for at in rest], extents([boxes[at] for at in rest])


def extents(boxes):
    low = [min((one[axis] for one in boxes), default=math.inf) for axis in (0, 1)]
    high = [max((one[axis + 2] for one in boxes), default=-math.inf) for axis in (0, 1)]
    return low, high


def far_away(boxes):
    """Indexes of the boxes that are small, few and far from all others."""
    found = set()
    for axis in (0, 1):
        low, high = [(one[axis], one[axis + 2]) for one in boxes], [(-one[axis + 2], -one[axis]) for one in boxes]
        found |= outermost(low) | outermost(high)
    if not found:
        return found
    low, high = extents([one for at, one in enumerate(boxes) if at not in found])
    size = max(high[0] - low[0], high[1] - low[1])

    def stray(one):
        gap = max(max(low[axis] - one[axis + 2], one[axis] - high[axis]) for axis in (0, 1))
        return gap > FAR * size > 1e-6 and max(one[2] - one[0], one[3] - one[1]) <= size

    strays = {at for at in found if stray(boxes[at])}
    # Several on each side belong to the drawing, as the marks of a sheet do.
    return strays if len(strays) <= max(1, len(boxes) // ONE_IN) else set()


def outermost(spans):
    """Indexes of the few spans above the lowest gap that is much wider than what is below it."""
    order = sorted(range(len(spans)), key=lambda at: spans[at][0])
    few = max(1, len(spans) // ONE_IN)
    core = order[few:-few] or order[:-few]
    size = max((spans[at][1] for at in core), default=0) - min((spans[at][0] for at in core), default=0)
    # Points alone have no size.
    if size < 1e-6:
        return set()
    reach = max(spans[at][1] for at in order[:-few])
    for place in range(len(order) - few, len(order)):
        if spans[order[place]][0] - reach > FAR * size:
            return set(order[place:])
        reach = max(reach, spans[order[place]][1])
    return set()
