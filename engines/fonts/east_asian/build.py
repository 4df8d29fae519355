"""Builds fonts with the measures of those that Debian lacks, from Noto's: `build.py FOLDER PLACE`. Set-up runs it.

Writes four collections, which share their outlines, into FOLDER/faces, the configuration of fontconfig for them, and
lines.json: which family stands for a name in documents of Word, which adds to the lines of East Asian fonts. The folder
is moved to PLACE, where fontconfig keeps what it has read of them.
"""

import json
import os
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from faces import Face
from families import FAMILIES
from letters import Letters
from fontTools.ttLib import TTCollection

NOTO = Path("/usr/share/fonts/opentype/noto")
OWN = "Athanor"
IN_WORD = "in Word"
# Word's lines are this much higher than the ascent and descent of an East Asian font. Half of it is above.
WORD = 83 / 64
TIME = 1_000_000_000


def build(folder, place):
    (folder / "faces").mkdir()
    for kind in ("Sans", "Serif"):
        for style in ("Regular", "Bold"):
            write_collection(kind, style, folder / "faces" / f"{kind}-{style}.ttc")
    # Whole seconds: layers of images may keep no others, and fontconfig compares the time with its cache.
    os.utime(folder / "faces", (TIME, TIME))
    (folder / "fonts.conf").write_text(configuration(place))
    lines = {name: f"{OWN} {family.name} {IN_WORD}" for family in FAMILIES for name in (family.name, *family.names)}
    (folder / "lines.json").write_text(json.dumps(lines))


def write_collection(kind, style, path):
    letters = Letters(NOTO / f"Noto{kind}CJK-{style}.ttc")
    faces = [Face(letters, family, style) for family in FAMILIES if family.letters.startswith(kind)]
    outlines = letters.outlines()
    collection = TTCollection()
    for face in faces:
        own = f"{OWN} {face.family.name}"
        collection.fonts += face.fonts({own: 1, f"{own} {IN_WORD}": WORD}, outlines)
    collection.save(path)


def configuration(place):
    """The configuration beside this folder, with these fonts and what they stand for."""
    common = (Path(__file__).parent.parent / "outlines.conf").read_text()
    folders = f'  <cachedir>{escape(str(place / "cache"))}</cachedir>\n  <dir prefix="relative">faces</dir>\n'
    aliases = "".join(
        f'  <alias binding="same"><family>{name}</family><accept><family>{OWN} {family.name}</family></accept></alias>\n'
        for family in FAMILIES
        for name in (family.name, *family.names)
    )
    start, end = "<fontconfig>\n", "</fontconfig>"
    return common.replace(start, start + folders).replace(end, aliases + end)


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
