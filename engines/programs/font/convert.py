"""Rewrites a font: `convert.py INPUT OUTPUT TARGET`. TrueType and OpenType have their own kind of outlines each."""

import logging
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))

from fontTools.fontBuilder import FontBuilder
from fontTools.misc.roundTools import otRound
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.reverseContourPen import ReverseContourPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.varLib.instancer import instantiateVariableFont

from refusal.refusal import refuse

# Tables that belong to one kind of outlines: the outlines, and programs that fit them to pixels.
TRUETYPE = ('glyf', 'loca', 'gvar', 'cvar', 'cvt ', 'fpgm', 'prep', 'gasp', 'hdmx', 'LTSH', 'VDMX')
POSTSCRIPT = ('CFF ', 'VORG')
# Distance in thousandths of an em by which quadratic curves may differ from cubic ones. A pixel at 1000 px.
TOLERANCE = 1


def drop(font, tables):
    for tag in tables:
        if tag in font:
            del font[tag]


def fixed(font):
    """The font at its default instance: one kind of variations does not fit the other kind of outlines."""
    if 'fvar' not in font:
        return font
    return instantiateVariableFont(font, {axis.axisTag: axis.defaultValue for axis in font['fvar'].axes})


def to_truetype(font):
    """Replaces cubic outlines by quadratic ones."""
    glyph_set, units = font.getGlyphSet(), font['head'].unitsPerEm
    glyphs = {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(None)
        glyph_set[name].draw(Cu2QuPen(pen, TOLERANCE * units / 1000, reverse_direction=True))
        glyphs[name] = pen.glyph()
    drop(font, POSTSCRIPT)
    font['loca'], font['glyf'] = newTable('loca'), newTable('glyf')
    font['glyf'].glyphOrder, font['glyf'].glyphs = font.getGlyphOrder(), glyphs
    for name, glyph in glyphs.items():
        glyph.recalcBounds(font['glyf'])
        font['hmtx'][name] = (font['hmtx'][name][0], getattr(glyph, 'xMin', 0))
    maxp = font['maxp']
    maxp.tableVersion = 0x00010000
    for field in 'maxTwilightPoints maxStorage maxFunctionDefs maxInstructionDefs maxStackElements maxSizeOfInstructions'.split():
        setattr(maxp, field, 0)
    maxp.maxZones = 1
    maxp.maxComponentElements = max((len(getattr(one, 'components', ())) for one in glyphs.values()), default=0)
    post = font['post']
    post.formatType, post.extraNames, post.mapping, post.glyphOrder = 2.0, [], {}, font.getGlyphOrder()
    font['head'].glyphDataFormat = 0
    font.sfntVersion = '\x00\x01\x00\x00'
    return font


def to_postscript(font):
    """Replaces quadratic outlines by cubic ones, which draws the same curves."""
    font = fixed(font)
    glyph_set, widths = font.getGlyphSet(), font['hmtx']
    strings = {}
    for name in font.getGlyphOrder():
        pen = T2CharStringPen(otRound(widths[name][0]), glyph_set)
        glyph_set[name].draw(ReverseContourPen(pen))
        strings[name] = pen.getCharString()
    drop(font, TRUETYPE)
    names = font['name']
    said = {
        'FullName': names.getBestFullName(),
        'FamilyName': names.getBestFamilyName(),
        'Weight': names.getBestSubFamilyName(),
    }
    FontBuilder(font=font).setupCFF(
        names.getDebugName(6) or 'Font',
        {key: value.encode('ascii', 'replace').decode() for key, value in said.items() if value},
        strings,
        {},
    )
    maxp, post = font['maxp'], font['post']
    font['maxp'] = newTable('maxp')
    font['maxp'].tableVersion, font['maxp'].numGlyphs = 0x00005000, maxp.numGlyphs
    post.formatType = 3.0
    font.sfntVersion = 'OTTO'
    return font


def convert(path, output, target):
    font = TTFont(path, recalcTimestamp=False, lazy=False)
    if target == 'ttf' and 'glyf' not in font:
        if 'CFF ' not in font:
            refuse('The font has no outlines that TrueType can hold')
        font = to_truetype(font)
    elif target == 'otf' and 'CFF ' not in font and 'CFF2' not in font:
        if 'glyf' not in font:
            refuse('The font has no outlines that OpenType can hold')
        font = to_postscript(font)
    font.flavor = target if target in ('woff', 'woff2') else None
    font.save(output)


logging.disable(logging.CRITICAL)
try:
    convert(*sys.argv[1:4])
except (MemoryError, KeyboardInterrupt):
    raise
except Exception:  # FontTools raises whatever its parsers run into.
    refuse('The font is damaged, or uses features that cannot be converted')
