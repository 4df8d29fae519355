"""A font with the letters of one and the measures of another."""

from pathlib import Path

from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from fontTools.ttLib.tables.DefaultTable import DefaultTable

EM = 1000
SYLLABLES = range(0xAC00, 0xD7A4)
# Code points of the lists in advances.txt.
LISTS = (*range(0x20, 0x7F), *range(0x3001, 0x30FF))
WINDOWS, UNICODE, ENGLISH = 3, 10, 0x409


class Face:
    """Makes its glyphs at once: all faces of a collection share the outlines."""

    def __init__(self, letters, family, style):
        region = family.letters[-2:]
        self.letters, self.family, self.style = letters, family, style
        self.source = letters.fonts[region]
        self.widths = dict(self.source["hmtx"].metrics)
        self.characters = dict(letters.maps[region])
        for code in SYLLABLES:
            if code in self.characters:
                self.widths[self.characters[code]] = (EM, 0)
        for code, advance in advances_of(family).items():
            if code in self.characters:
                self.set_width(code, round(advance * EM))

    def set_width(self, code, advance):
        glyph = self.characters[code]
        if advance == EM // 2:
            glyph = self.letters.half.get(glyph, glyph)
        if self.letters.glyphs[glyph].width not in (0, advance):
            glyph = self.letters.scaled(glyph, advance)
        self.characters[code] = glyph
        self.widths[glyph] = (advance, 0)

    def fonts(self, names, outlines):
        """One font for each name, whose lines are `names[name]` times as high. They have the same outlines."""
        source = self.source
        source["hmtx"].metrics = self.widths
        source["cmap"] = mapping(self.characters)
        shared = {tag: source[tag].compile(source) for tag in ("hmtx", "cmap", "GSUB", "VORG", "vhea", "vmtx", "post")}
        shared |= {"maxp": source["maxp"].compile(source), "CFF ": outlines}
        for name, factor in names.items():
            font = TTFont(sfntVersion="OTTO", recalcBBoxes=False, recalcTimestamp=False)
            for tag, data in shared.items():
                font[tag] = DefaultTable(tag)
                font[tag].data = data
            for tag in ("head", "hhea", "OS/2"):
                font[tag] = newTable(tag)
                font[tag].decompile(source.getTableData(tag), font)
            # Half of what Word adds to lines is above, half below.
            more = (self.family.ascent + self.family.descent) * (factor - 1) / 2
            measure(font, self.family.ascent + more, self.family.descent + more)
            font["name"] = named(name, self.style)
            yield font


def advances_of(family):
    return family.advances if isinstance(family.advances, dict) else read_advances()[family.advances]


def read_advances():
    """By family: the advance of each code point in em."""
    lists, name = {}, ""
    for line in (Path(__file__).parent / "advances.txt").read_text().splitlines():
        if line[0].isalpha():
            name, units = line.rsplit(" ", 1)
            lists[name] = []
        elif line[0] != "#":
            lists[name] += [None if word == "-" else int(word) / int(units) for word in line.split()]
    return {
        name: {code: advance for code, advance in zip(LISTS, numbers) if advance} for name, numbers in lists.items()
    }


def mapping(characters):
    table = newTable("cmap")
    table.tableVersion = 0
    part = CmapSubtable.newSubtable(12)
    part.platformID, part.platEncID, part.language, part.cmap = WINDOWS, UNICODE, 0, characters
    table.tables = [part]
    return table


def measure(font, ascent, descent):
    """Sets the height of lines, in em."""
    units = font["head"].unitsPerEm
    above, below = round(ascent * units), round(descent * units)
    line, os2 = font["hhea"], font["OS/2"]
    line.ascent, line.descent, line.lineGap = above, -below, 0
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = above, -below, 0
    os2.usWinAscent, os2.usWinDescent = above, below


def named(name, style):
    table = newTable("name")
    table.names = []
    full = f"{name} {style}"
    for number, text in ((1, name), (2, style), (3, full), (4, full), (6, full.replace(" ", ""))):
        table.setName(text, number, WINDOWS, 1, ENGLISH)
    return table
