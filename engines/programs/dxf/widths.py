"""The width of text in the metrics of Helvetica, which Arial and Liberation Sans share, also for narrow fonts."""

import re

WIDTHS = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]  # fmt: skip

# As parts of the font size: cap height, x-height, descent and ascent.
CAPITALS = 0.716
SMALL = 0.519
BELOW = 0.21
ABOVE = 0.905
# Signs between the line and the height of capitals.
BETWEEN = set(" ABCDEFGHIJKLMNOPRSTUVWXYZacemnorsuvwxz0123456789.:-+=*\"'")
# Fonts narrower than Arial, by their files and names, and how much Arial Narrow is.
NARROW = re.compile("narrow|cond|^arialn", re.IGNORECASE)
NARROWNESS = 0.82


def stretch(font) -> float:
    """How wide the letters of a font are, as a part of Arial's."""
    names = (font.ttf, font.family) if font else ()
    return NARROWNESS if any(NARROW.search(name or "") for name in names) else 1


def width(text: str, cap_height: float, font) -> float:
    """The width of a line of text in drawing units, given its cap height and its font, or None."""
    size = cap_height / CAPITALS * stretch(font)
    return sum(WIDTHS[ord(c) - 32] if " " <= c <= "~" else 556 for c in text) * size / 1000


def span(text: str, cap_height: float) -> tuple[float, float]:
    """How far a line of text reaches from its line, downwards (negative) and upwards."""
    size = cap_height / CAPITALS
    return (0, cap_height) if BETWEEN.issuperset(text) else (-size * BELOW, size * ABOVE)
