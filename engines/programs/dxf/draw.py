"""
Draws the model space of a DXF file as SVG, or the first layout if the model space is empty: draw.py [paper] INPUT OUTPUT.
With `paper`, it is in the middle of a sheet of paper with margins.
"""

import logging
import os
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
# ezdxf would load it where it is installed, which takes longer than most drawings. Nothing here needs it.
sys.modules["matplotlib"] = None

import reading  # noqa: E402
import sheet  # noqa: E402
from ezdxf import units  # noqa: E402
from draughtsman import Draughtsman  # noqa: E402
from ezdxf.addons.drawing import RenderContext  # noqa: E402
from ezdxf.addons.drawing.config import Configuration  # noqa: E402
from ezdxf.addons.drawing.properties import LayoutProperties  # noqa: E402
from refusal.refusal import refuse  # noqa: E402
from svg_backend import MOST, SvgBackend, TooMuch  # noqa: E402

logging.disable(logging.CRITICAL)


def main(*args):
    *options, source, target = args
    try:
        document, left_out = reading.read(source)
    except reading.FAULTS:
        refuse("The drawing is damaged or of an unsupported kind")
    unit = document.header.get("$INSUNITS", 0)
    millimetres = units.conversion_factor(unit, units.MM) if 0 < unit < 25 else None
    layouts = [document.layout(name) for name in document.layouts.names_in_taborder() if name != "Model"]
    missed = Counter()
    for space in [document.modelspace(), *layouts]:
        backend, damaged, unknown = drawn(document, space)
        missed.update(unknown)
        svg = backend.document(millimetres, (lambda: sheet.named(space)) if "paper" in options else None)
        if svg is not None:
            break
    else:
        kinds = ", ".join(sorted(missed))
        refuse(f"The drawing has only objects that cannot be drawn: {kinds}" if kinds else "The drawing is empty")
    for kind, count in Counter([*left_out, *damaged]).items():
        print(f"left out {count} damaged {kind}", file=sys.stderr)
    for kind, count in missed.items():
        print(f"left out {count} {kind}, which cannot be drawn", file=sys.stderr)
    if backend.strays:
        print(f"left out {backend.strays} strays far away from the drawing", file=sys.stderr)
    with open(target, "w", encoding="utf-8") as output:
        output.write(svg)


def drawn(document, space):
    """What is in a layout, and the types of the damaged and of the unknown entities."""
    context = RenderContext(document)
    context.set_current_layout(space)
    paper = LayoutProperties.from_layout(space)
    # On white paper, the default colour is black.
    paper.set_colors("#ffffff")
    backend = SvgBackend()
    # Seconds: hatch patterns can be arbitrarily dense.
    config = Configuration.defaults().with_changes(hatching_timeout=5, show_defpoints=False)
    frontend = Draughtsman(context, backend, config=config)
    try:
        frontend.draw_layout(space, layout_properties=paper)
    except TooMuch:
        refuse(f"The drawing has more than {MOST:,} parts", "RESOURCE_LIMIT")
    return backend, frontend.left_out, frontend.unknown


main(*sys.argv[1:])
