"""Colours of a drawing on white paper, and gradients."""

import math

# Least contrast of lines and text with white (WCAG 2.1, relative luminance). Pure yellow has 1.07.
LEGIBLE = 2
# Most comparisons of pieces with areas. In larger drawings, one coloured area keeps the colours of all pieces.
MOST_COMPARED = 10_000_000

GRADIENT = 2  # ezdxf: Filling.GRADIENT
# Gradients of HATCH whose second colour is in the middle: along the line or around it.
CENTRED = {"CYLINDER", "INVCYLINDER"}
ROUND = {"SPHERICAL", "INVSPHERICAL", "HEMISPHERICAL", "INVHEMISPHERICAL", "CURVED", "INVCURVED"}


class Gradients:
    """Fills of several colours, by the names under which SVG refers to them."""

    def __init__(self):
        self.known = {}

    def name(self, properties):
        """The paint of a filled area: its colour, or a reference to its gradient."""
        filling = properties.filling
        if filling is None or filling.type != GRADIENT or not (filling.gradient_color1 and filling.gradient_color2):
            return properties.color
        key = (filling.name.upper(), round(filling.angle, 3), filling.gradient_color1[:7], filling.gradient_color2[:7])
        self.known.setdefault(key, f"gradient{len(self.known) + 1}")
        return f"url(#{self.known[key]})"

    def definitions(self):
        for (kind, angle, first, last), name in self.known.items():
            colours = [last, first] if kind.startswith("INV") else [first, last]
            if kind in CENTRED:
                colours = [colours[0], colours[1], colours[0]]
            if kind in ROUND:
                colours.reverse()
            steps = [f'<stop offset="{at / (len(colours) - 1):g}" stop-color="{one}"/>' for at, one in enumerate(colours)]
            if kind in ROUND:
                yield f'<radialGradient id="{name}" r="0.7">{"".join(steps)}</radialGradient>'
            else:
                # Angles are counter-clockwise, and y points upwards.
                x, y = math.cos(math.radians(angle)) / 2, -math.sin(math.radians(angle)) / 2
                ends = f'x1="{0.5 - x:.4f}" y1="{0.5 - y:.4f}" x2="{0.5 + x:.4f}" y2="{0.5 + y:.4f}"'
                yield f'<linearGradient id="{name}" {ends}>{"".join(steps)}</linearGradient>'


def over_areas(pieces):
    """For each piece, whether it keeps its colour: because it lies on a coloured area, or is a white mask of others."""
    areas = [box(piece) for piece in pieces if piece[0] == "area" and not white(piece)]
    coloured = any(not white(piece) for piece in pieces)
    exact = len(areas) * len(pieces) <= MOST_COMPARED
    for piece in pieces:
        if piece[0] == "area":
            yield coloured or not white(piece)
        elif not exact:
            yield True
        else:
            left, low, right, high = box(piece)
            yield any(left < area[2] and right > area[0] and low < area[3] and high > area[1] for area in areas)


def white(piece):
    return piece[2][:7].lower() == "#ffffff"


def box(piece):
    kind, what, *more = piece
    if kind == "text":
        points = more[-1]
    elif kind == "dot":
        points = what
    else:
        points = [point for step in what for point in step[1:]]
    across, down = [point[0] for point in points], [point[1] for point in points]
    # Areas that touch count, and lines have no width.
    whole = min(across) - 1e-9, min(down) - 1e-9, max(across) + 1e-9, max(down) + 1e-9
    return piece.clip.within(whole) if piece.clip else whole


def legible(paint):
    """A colour of the same hue that is visible on white paper."""
    channels = [int(paint[at : at + 2], 16) for at in (1, 3, 5)]
    while 1.05 / (luminance(channels) + 0.05) < LEGIBLE:
        channels = [int(channel * 0.95) for channel in channels]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def luminance(channels):
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in channels)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def opacity(colour):
    return f' opacity="{int(colour[7:9], 16) / 255:.3f}"' if len(colour) == 9 and colour[7:9] != "ff" else ""
