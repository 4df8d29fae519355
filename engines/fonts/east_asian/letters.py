"""The letters of a collection of Noto, and new ones in place of those that no face needs."""

from fontTools import subset
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection

# The characters that a face must have, besides signs. Others come from Noto itself.
SETS = {"JP": "cp932", "KR": "cp949", "SC": "gb2312", "TC": "big5"}
UPRIGHT = ["vert", "vrt2"]
NOTHING = b"\x0e"  # endchar: an empty glyph
# A letter is stretched at most so much, and has space on both sides for the rest.
STRETCH = 1.15


class Letters:
    def __init__(self, path):
        fonts = TTCollection(path, lazy=True, recalcBBoxes=False).fonts
        self.fonts = {font["name"].getDebugName(1)[-2:]: font for font in reversed(fonts)}
        self.half = substitutes(self.fonts["JP"], ["hwid"])
        self.maps = {region: kept(font, SETS[region]) for region, font in self.fonts.items() if region in SETS}
        self.font = self.fonts["JP"]
        self.glyphs = self.font.getGlyphSet()
        self.order = self.font.getGlyphOrder()
        self.programs = {}
        used = {glyph for letters in self.maps.values() for glyph in letters.values()} | {self.order[0]}
        used |= set(self.half.values())
        for font in self.fonts.values():
            used |= set(substitutes(font, UPRIGHT).values())
            keep_vertical(font)
        self.unused = [glyph for glyph in reversed(self.order) if glyph not in used]

    def scaled(self, glyph, advance):
        """The name of a new glyph: an old one, as wide as `advance`."""
        width = self.glyphs[glyph].width
        scale = min(advance / width, STRETCH)
        pen = T2CharStringPen(None, self.glyphs)
        self.glyphs[glyph].draw(TransformPen(pen, (scale, 0, 0, 1, (advance - width * scale) / 2, 0)))
        new = self.unused.pop()
        self.programs[new] = pen.getCharString()
        return new

    def outlines(self):
        """The table of all outlines. Complete once all glyphs are made."""
        table = self.font["CFF "]
        strings = table.cff.topDictIndex[0].CharStrings
        for glyph in self.unused:
            strings.charStringsIndex.items[strings.charStrings[glyph]] = T2CharString(bytecode=NOTHING)
        for glyph, program in self.programs.items():
            strings.charStringsIndex.items[strings.charStrings[glyph]] = program
        return table.compile(self.font)


def kept(font, charset):
    """Which glyph stands for which character, without those that the set lacks: rare ideographs and syllables."""

    def is_in_set(code):
        try:
            return len(chr(code).encode(charset)) == 2
        except UnicodeEncodeError:
            return False

    signs = (range(0x1100), range(0x2000, 0x3400), range(0xFE00, 0xFFF0))
    return {
        code: glyph for code, glyph in font.getBestCmap().items() if any(code in part for part in signs) or is_in_set(code)
    }


def keep_vertical(font):
    """Keeps, of all features, the forms for vertical lines. Others would show glyphs that are empty now."""
    options = subset.Options(layout_features=UPRIGHT)
    font["GSUB"].prune_pre_subset(font, options)
    font["GSUB"].prune_post_subset(font, options)


def substitutes(font, features):
    """Which glyph takes the place of which other by these features."""
    table = font["GSUB"].table
    records = [record.Feature for record in table.FeatureList.FeatureRecord if record.FeatureTag in features]
    indices = {index for record in records for index in record.LookupListIndex}
    parts = [part for index in indices for part in table.LookupList.Lookup[index].SubTable]
    return {old: new for part in parts for old, new in getattr(part, "ExtSubTable", part).mapping.items()}
