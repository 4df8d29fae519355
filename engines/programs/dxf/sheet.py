"""Chooses the paper of a drawing, in millimetres."""

# ISO 216, the shorter side first.
SIZES = [(210, 297), (297, 420), (420, 594), (594, 841), (841, 1189)]
# White space on each side (ISO 5457).
MARGIN = 10
# Papers that a drawing can name. Others are the settings of a plotter for rolls, or mistakes.
SHORTEST, LONGEST = 100, 1500


def real(width, height):
    """The smallest paper that holds a drawing in its real size, as (width, height)."""
    for size in SIZES:
        across, down = turned(size, width, height)
        if width <= across - 2 * MARGIN and height <= down - 2 * MARGIN:
            return across, down
    return width + 2 * MARGIN, height + 2 * MARGIN


def fitted(width, height, named=None):
    """The paper that the drawing names, else A4, and the factor that fits the drawing on it: ((width, height), factor)."""
    across, down = turned(sorted(named or SIZES[0]), width, height)
    room = [across - 2 * MARGIN, down - 2 * MARGIN]
    return (across, down), min(space / side for space, side in zip(room, (width, height)) if side > 0)


def named(layout):
    """The paper size in the page setup of a layout, or None."""
    size = [layout.dxf_layout.dxf.get(side, 0) for side in ("paper_width", "paper_height")]
    return size if all(SHORTEST <= side <= LONGEST for side in size) else None


def turned(size, width, height):
    """The paper with its longer side along the longer side of the drawing."""
    shorter, longer = size
    return (longer, shorter) if width > height else (shorter, longer)
