"""Texts in lines (MTEXT), broken and spaced by the widths of the letters that are drawn."""

import widths
from ezdxf.addons.drawing.mtext_complex import ComplexMTextRenderer
from ezdxf.tools.fonts import MonospaceFont
from ezdxf.tools.text_layout import LayoutAlignment

# Without matplotlib, ezdxf would take all letters for as wide as capitals are high.


class Font(MonospaceFont):
    """Measures words."""

    def __init__(self, face, cap_height, factor):
        super().__init__(cap_height, factor)
        self.face = face

    def text_width(self, text):
        return widths.width(text, self.measurements.cap_height, self.face) * self._width_factor

    def space_width(self):
        return self.text_width(" ")


class Renderer(ComplexMTextRenderer):
    """Lays out texts by those fonts."""

    def get_font(self, ctx):
        return Font(ctx.font_face, ctx.cap_height, ctx.width_factor)


def draw(context, pen, text, properties):
    """Draws a text with formats of its own."""
    layout = Renderer(context, pen, properties).layout_engine(text)
    layout.place(align=LayoutAlignment(text.dxf.attachment_point))
    layout.render(text.ucs().matrix)


def reshape(text):
    """Corrects a text. Since 2018, all tell of columns, some without a height: ezdxf would find no room in them."""
    columns = text.columns
    if columns and (columns.count < 2 or min(columns.heights, default=columns.total_height) <= 0):
        text._columns = None
    # LibreDWG writes too much for some. The border of the area behind the text is at most five times as high.
    if text.dxf.get("box_fill_scale", 1.5) > 5:
        text.dxf.box_fill_scale = 1.5
