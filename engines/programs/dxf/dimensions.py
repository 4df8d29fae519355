"""Dimensions without lines of their own: some programs leave it to others to draw them, and ezdxf would remove them."""

from ezdxf.entities import Dimension

checked = Dimension.audit


def audit(dimension, auditor):
    if dimension.get_geometry_block() is not None:
        checked(dimension, auditor)


Dimension.audit = audit


def complete(dimension):
    """Draws the lines and the text of a dimension that has none."""
    if dimension.get_geometry_block() is None:
        style, words = dimension.override(), dimension.dxf.get("text", "")
        # ezdxf knows the place of the measured value in the style only.
        if "<>" in words and words != "<>":
            style["dimpost"], dimension.dxf.text = words, "<>"
        style.render()
