"""Latin fonts of Windows that Debian lacks: which font stands for each, with its lines and, of fixed ones, its advance.

All measures are in em, as fonts in PDFs that Word exported tell (OS/2 usWinAscent, usWinDescent).
"""

from pathlib import Path
from typing import NamedTuple

from east_asian.faces import measure, named
from fontTools.ttLib import TTFont

FOLDER = Path("/usr/share/fonts")
SLANTED = {"Regular": "", "Bold": "-Bold", "Italic": "-Oblique", "Bold Italic": "-BoldOblique"}


class Family(NamedTuple):
    file: str
    styles: dict  # what stands in the name of the file, by style
    ascent: float
    descent: float
    advance: float | None = None


FAMILIES = {
    "Consolas": Family(
        "truetype/anonymous-pro/Anonymous Pro{}.ttf",
        {"Regular": "", "Bold": " B", "Italic": " I", "Bold Italic": " BI"},
        *(0.91992, 0.25098, 0.5498),
    ),
    "Garamond": Family(
        "opentype/ebgaramond/EBGaramond{}.otf",
        {"Regular": "08-Regular", "Italic": "08-Italic"},  # The bold one has no accents.
        *(0.86182, 0.26318),
    ),
    "Verdana": Family("truetype/dejavu/DejaVuSans{}.ttf", SLANTED, 1.00537, 0.20996),
    "Lucida Console": Family("truetype/dejavu/DejaVuSansMono{}.ttf", SLANTED, 0.78906, 0.21094),
}


def write_latin(folder, own):
    """Writes the fonts, with names that begin with `own`. Without the files of a style, it is left out."""
    for name, family in FAMILIES.items():
        for style, part in family.styles.items():
            file = FOLDER / family.file.format(part)
            if not file.exists():
                continue
            font = TTFont(file, recalcTimestamp=False)
            if family.advance:
                advance = round(family.advance * font["head"].unitsPerEm)
                font["hmtx"].metrics = {glyph: (advance, side) for glyph, (_, side) in font["hmtx"].metrics.items()}
            measure(font, family.ascent, family.descent)
            font["name"] = named(f"{own} {name}", style)
            font.save(folder / f"{name}-{style}{file.suffix}")
