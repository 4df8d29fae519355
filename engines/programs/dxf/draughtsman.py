"""Draws entities with ezdxf, in spite of some that are damaged or too dense."""

import math
import re

import dimensions
import graphics  # noqa: F401
import paragraphs
import stand_ins
import widths
from clips import clip_of
from ezdxf.addons.drawing import Frontend
from ezdxf.addons.drawing.frontend import Designer
from ezdxf.addons.drawing.gfxproxy import DXFGraphicProxy
from svg_backend import TooMuch

# Most repetitions of a line type along a line. Denser lines are drawn solid, as CAD programs do.
MOST_DASHES = 2000
# Most strokes of a hatch. A denser one becomes a pale area, as it looks in CAD programs.
MOST_STROKES, PALE = 100_000, "66"
# A letter by its number in the character set of the drawing. ezdxf knows the codes of letters only.
NUMBERED = re.compile(r"%%(\d{3})")
TEXTS = ("TEXT", "ATTRIB", "ATTDEF", "MTEXT")


class Pen(Designer):
    """Draws lines whose dashes are too dense as solid lines."""

    def draw_line(self, start, end, properties):
        with_type = properties.linetype_pattern
        if self._dense((end - start).magnitude, properties):
            properties.linetype_pattern = ()
        super().draw_line(start, end, properties)
        properties.linetype_pattern = with_type

    def draw_path(self, path, properties):
        with_type = properties.linetype_pattern
        points = path.control_vertices()
        if self._dense(sum((one - next).magnitude for one, next in zip(points, points[1:])), properties):
            properties.linetype_pattern = ()
        super().draw_path(path, properties)
        properties.linetype_pattern = with_type

    def _dense(self, length, properties):
        return len(properties.linetype_pattern) > 1 and length > MOST_DASHES * sum(self.pattern(properties))


class Draughtsman(Frontend):
    """Skips entities that cannot be drawn, so that the rest of the drawing is kept."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.left_out = []
        self.unknown = []
        self._designer = Pen(self, self.out)
        self._dispatch["HELIX"] = self.draw_curve_entity

    def draw_hatch_pattern(self, polygon, paths, properties):
        if strokes(polygon.pattern, paths) < MOST_STROKES:
            super().draw_hatch_pattern(polygon, paths, properties)
            return
        properties.color = properties.color[:7] + PALE
        properties.filling = None
        self._designer.draw_filled_paths(paths, [], properties)

    def draw_viewport_entity(self, entity, properties):
        """Windows to the model space are left out: ezdxf would fill them with grey."""

    def draw_composite_entity(self, entity, properties):
        insert = entity.dxftype() == "INSERT"
        outside = stand_ins.missing_drawing(entity) if insert else None
        if outside:
            self.unknown.append(f"drawing in another file, {outside}")
        count = len(self.out.pieces)
        with self.out.clipped(clip_of(entity) if insert else None):
            super().draw_composite_entity(entity, properties)
        # A program of its own draws it, and its lines are not stored.
        if isinstance(entity, DXFGraphicProxy) and len(self.out.pieces) == count:
            self.unknown.append(entity.dxftype())

    def skip_entity(self, entity, msg):
        if msg != "invisible":
            self.unknown.append(entity.dxftype())

    def path(self, path, properties):
        self._designer.draw_path(path, properties)

    def text(self, words, place, height, angle, properties):
        self.draw_text_entity(stand_ins.text_of(words, place, height, angle), properties)

    def stored(self, entity):
        count = len(self.out.pieces)
        self.draw_proxy_graphic(entity.proxy_graphic, entity.doc)
        return len(self.out.pieces) > count

    def width(self, words, height):
        return widths.width(words, height, None)

    def draw_complex_mtext(self, mtext, properties):
        paragraphs.draw(self.ctx, self._designer, mtext, properties)

    def draw_entity(self, entity, properties):
        depth = len(self.out.entity_stack)
        try:
            if entity.dxftype() in TEXTS:
                name_letters(entity)
            if entity.dxftype() == "MTEXT":
                paragraphs.reshape(entity)
            if entity.dxftype() == "DIMENSION":
                dimensions.complete(entity)
            if entity.dxftype() == "MPOLYGON" and not len(entity.paths):
                self.unknown.append(entity.dxftype())
            if not stand_ins.draw(self, entity, properties):
                super().draw_entity(entity, properties)
        except (TooMuch, MemoryError):
            raise
        except Exception:
            # What the entity is part of goes on.
            del self.out.entity_stack[depth:]
            self.left_out.append(entity.dxftype())


def strokes(pattern, paths):
    """About how many strokes a hatch has."""
    points = [point for path in paths for point in path.control_vertices()]
    if not points or pattern is None:
        return 0
    across = max(max(axis) - min(axis) for axis in zip(*[(x, y) for x, y, _ in points]))
    return sum(rows(line, across) for line in pattern.lines)


def rows(line, across):
    turn, dashes = math.radians(line.angle), line.dash_length_items
    apart = abs(line.offset.y * math.cos(turn) - line.offset.x * math.sin(turn))
    length = sum(map(abs, dashes))
    return across / max(apart, 1e-9) * max(1, len(dashes) * across / length if length else 1)


def name_letters(entity):
    charset = getattr(entity.doc, "encoding", None) or "cp1252"
    holder = entity if entity.dxftype() == "MTEXT" else entity.dxf
    if NUMBERED.search(holder.text):
        holder.text = NUMBERED.sub(lambda found: letter(int(found[1]), charset), holder.text)


def letter(number, charset):
    return bytes([number]).decode(charset, "replace") if 32 <= number < 256 else ""
