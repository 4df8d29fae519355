"""Builds fonts with the measures or signs of those that Debian lacks: `build.py FOLDER PLACE`. Set-up runs it.

Writes them into FOLDER/faces, and the configuration of fontconfig for them, and in-word.json: which family stands for a
name in documents of Word. Word adds to the lines of East Asian fonts. The folder is moved to PLACE, where fontconfig
keeps what it has read of the fonts.
"""

import json
import os
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from east_asian.faces import Face
from east_asian.families import FAMILIES
from east_asian.letters import Letters
from fontTools.ttLib import TTCollection
from latin import FAMILIES as LATIN
from latin import write_latin
from signs import FAMILIES as SIGNS
from signs import write_signs

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
    write_signs(folder / "faces", OWN)
    write_latin(folder / "faces", OWN)
    # Whole seconds: layers of images may keep no others, and fontconfig compares the time with its cache.
    os.utime(folder / "faces", (TIME, TIME))
    (folder / "fonts.conf").write_text(configuration(place))
    stand = {name: f"{OWN} {family.name} {IN_WORD}" for family in FAMILIES for name in (family.name, *family.names)}
    signs = {name: f"{OWN} {name}" for name in SIGNS}
    (folder / "in-word.json").write_text(json.dumps(stand | signs))


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
    common = (Path(__file__).parent / "outlines.conf").read_text()
    folders = f'  <cachedir>{escape(str(place / "cache"))}</cachedir>\n  <dir prefix="relative">faces</dir>\n'
    stands = [(name, family.name) for family in FAMILIES for name in (family.name, *family.names)]
    stands += [(name, name) for name in (*SIGNS, *LATIN)]
    aliases = "".join(
        f'  <alias binding="same"><family>{name}</family><accept><family>{OWN} {own}</family></accept></alias>\n'
        for name, own in stands
    )
    start, end = "<fontconfig>\n", "</fontconfig>"
    return common.replace(start, start + folders).replace(end, aliases + end)


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
