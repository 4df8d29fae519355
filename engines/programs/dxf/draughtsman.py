"""Draws entities with ezdxf, in spite of some that are damaged or too dense."""

import re

import dimensions
import paragraphs
from clips import clip_of
from ezdxf.addons.drawing import Frontend
from ezdxf.addons.drawing.frontend import Designer
from svg_backend import TooMuch

# Most repetitions of a line type along a line. Denser lines are drawn solid, as CAD programs do.
MOST_DASHES = 2000
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
        self._designer = Pen(self, self.out)

    def draw_viewport_entity(self, entity, properties):
        """Windows to the model space are left out: ezdxf would fill them with grey."""

    def draw_composite_entity(self, entity, properties):
        corners = clip_of(entity) if entity.dxftype() == "INSERT" else None
        with self.out.clipped(corners):
            super().draw_composite_entity(entity, properties)

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
            super().draw_entity(entity, properties)
        except (TooMuch, MemoryError):
            raise
        except Exception:
            # What the entity is part of goes on.
            del self.out.entity_stack[depth:]
            self.left_out.append(entity.dxftype())


def name_letters(entity):
    charset = getattr(entity.doc, "encoding", None) or "cp1252"
    holder = entity if entity.dxftype() == "MTEXT" else entity.dxf
    if NUMBERED.search(holder.text):
        holder.text = NUMBERED.sub(lambda found: letter(int(found[1]), charset), holder.text)


def letter(number, charset):
    return bytes([number]).decode(charset, "replace") if 32 <= number < 256 else ""
