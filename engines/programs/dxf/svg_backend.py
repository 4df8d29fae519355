"""Collects what ezdxf draws, and writes it as SVG."""

import math
from contextlib import contextmanager
from xml.sax.saxutils import escape

import framing
import sheet
import widths
from clips import Clip
from paint import Gradients, box, legible, opacity, over_areas
from ezdxf.addons.drawing.backend import Backend
from ezdxf.path import Command
from ezdxf.tools.fonts import FontMeasurements

# Most pieces of one drawing.
MOST = 1_000_000
# CSS pixels per millimetre.
MM = 96 / 25.4
# The size of a drawing is kept if its longer side is within this range, in millimetres. Others are fitted to A4.
SMALLEST, LARGEST, SHEET = 10, 1200, 277


class TooMuch(Exception):
    pass


class Piece(tuple):
    """Kind, points, paint, weight and more. `clip` is the part of a block that is shown."""

    clip = None


class SvgBackend(Backend):
    def __init__(self):
        super().__init__()
        self.pieces = []
        self.gradients = Gradients()
        self.clip = None
        self.low, self.high = framing.extents([])
        self.strays = 0

    def _add(self, piece):
        if len(self.pieces) >= MOST:
            raise TooMuch
        piece = Piece(piece)
        piece.clip = self.clip
        if not self.clip or box(piece):
            self.pieces.append(piece)

    @contextmanager
    def clipped(self, corners):
        """Shows of what is drawn meanwhile only the part within the corners, if there are any."""
        outer = self.clip
        if corners:
            self.clip = Clip([self._at(corner) for corner in corners], outer)
        try:
            yield
        finally:
            self.clip = outer

    def _at(self, point):
        x, y = point.x, point.y
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError("a point that is nowhere")
        return (x, y)

    def set_background(self, color):
        pass

    def clear(self):
        pass

    def draw_point(self, pos, properties):
        self._add(("dot", [self._at(pos)], properties.color, properties.lineweight))

    def draw_line(self, start, end, properties):
        steps = [("M", self._at(start)), ("L", self._at(end))]
        self._add(("line", steps, properties.color, properties.lineweight))

    def draw_path(self, path, properties):
        self._add(("line", self._steps(path), properties.color, properties.lineweight))

    def draw_filled_paths(self, paths, holes, properties):
        steps = [step for path in [*paths, *holes] for step in [*self._steps(path), ("Z",)]]
        if steps:
            self._add(("area", steps, self.gradients.name(properties), 0))

    def draw_filled_polygon(self, points, properties):
        places = [self._at(point) for point in points]
        if places:
            steps = [("L" if index else "M", place) for index, place in enumerate(places)]
            self._add(("area", [*steps, ("Z",)], properties.color, 0))

    def _steps(self, path):
        steps = [("M", self._at(path.start))]
        for command in path.commands():
            if command.type == Command.LINE_TO:
                steps.append(("L", self._at(command.end)))
            elif command.type == Command.CURVE3_TO:
                steps.append(("Q", self._at(command.ctrl), self._at(command.end)))
            elif command.type == Command.CURVE4_TO:
                steps.append(("C", self._at(command.ctrl1), self._at(command.ctrl2), self._at(command.end)))
            else:
                steps.append(("M", self._at(command.end)))
        return steps

    def draw_text(self, text, transform, properties, cap_height):
        across = widths.width(text, cap_height, properties.font)
        corners = [(x, y, 0) for y in widths.span(text, cap_height) for x in (0, across)]
        corners = [self._at(corner) for corner in transform.transform_vertices(corners)]
        narrow = widths.stretch(properties.font)
        x, y = [side * narrow for side in transform.get_row(0)[:2]], transform.get_row(1)[:2]
        matrix = (*x, *y, *transform.get_row(3)[:2])
        self._add(("text", text, properties.color, cap_height, matrix, corners))

    def get_font_measurements(self, cap_height, font=None):
        size = cap_height / widths.CAPITALS
        return FontMeasurements(0, cap_height, size * widths.SMALL, size * widths.BELOW)

    def get_text_line_width(self, text, cap_height, font=None):
        return widths.width(text, cap_height, font)

    def document(self, millimetres, paper=None):
        """
        The drawing as SVG, or None if it is empty. `millimetres` is the length of one of its units, or None.
        `paper` is None for a picture without margin, or a function that returns the paper size that the drawing names.
        """
        count = len(self.pieces)
        self.pieces, (self.low, self.high) = framing.framed(self.pieces)
        self.strays = count - len(self.pieces)
        size = [high - low for low, high in zip(self.low, self.high)]
        longer = max(size)
        if not math.isfinite(longer) or longer <= 0:
            return None
        real = longer * millimetres if millimetres else 0
        length = millimetres if SMALLEST <= real <= LARGEST else None
        if paper is None:
            scale = (length or SHEET / longer) * MM
            sides = [max(side * scale, 1) for side in size]
            left, top = 0, 0
        else:
            if length:
                page = sheet.real(*(side * length for side in size))
            else:
                page, length = sheet.fitted(*size, paper())
            scale = length * MM
            sides = [side * MM for side in page]
            left, top = ((space - side * scale) / 2 for space, side in zip(sides, size))

        def place(point):
            return f"{left + (point[0] - self.low[0]) * scale:.3f} {top + (self.high[1] - point[1]) * scale:.3f}"

        def drawn(steps):
            return "".join(step[0] + " ".join(place(point) for point in step[1:]) for step in steps)

        clips = {}

        def cut(clip):
            """The attribute that cuts a piece, or nothing. Defines the clip when it is first used."""
            if clip is None:
                return ""
            if clip not in clips:
                within, corners = cut(clip.outer), " L".join(place(corner) for corner in clip.corners)
                name = f"clip{len(clips) + 1}"
                clips[clip] = f'<clipPath id="{name}"{within}><path d="M{corners} Z"/></clipPath>'
            return f' clip-path="url(#clip{list(clips).index(clip) + 1})"'

        lines = []
        # What was drawn for a black screen becomes dark, but not masks, and not what lies on a coloured area.
        lit = over_areas(self.pieces)
        for piece in self.pieces:
            kind, what, colour, weight, *more = piece
            first = len(lines)
            paint, clear = (colour, "") if colour.startswith("url") else (colour[:7], opacity(colour))
            if next(lit):
                pass
            elif paint.lower() == "#ffffff":
                paint = "#000000"
            elif kind != "area":
                paint = legible(paint)
            if kind == "text":
                a, b, c, d, x, y = more[0]
                # Units can be so small or large that renderers refuse the font size in units, or round the matrix to 0.
                unit = math.hypot(c, d) or 1
                matrix = f"{a / unit:.5f} {-b / unit:.5f} {-c / unit:.5f} {d / unit:.5f} {place((x, y))}"
                font = f'font-size="{weight / widths.CAPITALS * unit * scale:.5f}" font-family="Liberation Sans, Arial, Helvetica, sans-serif"'
                lines.append(f'<text transform="matrix({matrix})" {font} fill="{paint}"{clear}>{escape(clean(what))}</text>')
            elif kind == "area":
                lines.append(f'<path d="{drawn(what)}" fill="{paint}" fill-rule="evenodd"{clear}/>')
            elif kind == "dot":
                x, y = place(what[0]).split()
                lines.append(f'<circle cx="{x}" cy="{y}" r="{max(weight * MM / 2, 0.4):.2f}" fill="{paint}"{clear}/>')
            else:
                across = f'stroke-width="{max(weight * MM, 0.25):.2f}"'
                lines.append(f'<path d="{drawn(what)}" fill="none" stroke="{paint}" {across} stroke-linecap="round"{clear}/>')
            if piece.clip:
                lines[first:] = [f"<g{cut(piece.clip)}>{lines[first]}</g>"]
        width, height = sides
        view = f'width="{width:.3f}" height="{height:.3f}" viewBox="0 0 {width:.3f} {height:.3f}"'
        body = "\n".join([*self.gradients.definitions(), *clips.values(), *lines])
        return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>\n{body}\n</svg>\n'


def clean(text):
    """Removes control characters and lone surrogates, which XML 1.0 forbids."""
    return "".join(c if c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff" else " " for c in text)
