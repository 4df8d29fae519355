"""Fonts with the signs of Wingdings and its kin, from Symbola, and Symbol from the one that PostScript brought."""

from pathlib import Path

from east_asian.faces import mapping, measure, named
from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

SYMBOLA = "/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf"
SYMBOL = "/usr/share/fonts/opentype/urw-base35/StandardSymbolsPS.otf"
# Ascent and descent in em, as PDFs that Word exports tell.
MEASURES = {"Webdings": (0.799, 0.2), "Symbol": (1.005, 0.22)}
OTHERS = (0.898, 0.211)
FAMILIES = ("Webdings", "Wingdings", "Wingdings 2", "Wingdings 3", "Symbol")
CODES = range(0x21, 0x100)
# Documents name signs by letters, or by these letters in the area for private use.
PRIVATE = 0xF000


def write_signs(folder, own):
    """Writes the fonts, with names that begin with `own`."""
    fonts = TTCollection()
    lists = read_signs()
    for name, signs in lists.items():
        font = TTFont(SYMBOLA, recalcTimestamp=False)
        reduce(font, {code for signs in lists.values() for code in signs.values()})
        letters = font.getBestCmap()
        fonts.fonts.append(renamed(font, name, own, {code: letters[sign] for code, sign in signs.items()}))
    fonts.save(folder / "Signs.ttc")
    symbol = TTFont(SYMBOL, recalcTimestamp=False)
    letters = symbol.getBestCmap()
    renamed(symbol, "Symbol", own, {code: letters[code] for code in (0x20, *CODES) if code in letters})
    symbol.save(folder / "Symbol.otf")


def reduce(font, codes):
    subsetter = subset.Subsetter(subset.Options(layout_features=[], hinting=False, glyph_names=False))
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)


def renamed(font, name, own, letters):
    font["cmap"] = mapping({**letters, **{PRIVATE + code: glyph for code, glyph in letters.items()}})
    font["name"] = named(f"{own} {name}", "Regular")
    measure(font, *MEASURES.get(name, OTHERS))
    return font


def read_signs():
    """By family: the character of each code."""
    lists, name = {}, ""
    for line in (Path(__file__).parent / "signs.txt").read_text().splitlines():
        if line.split(" ")[0] in ("Webdings", "Wingdings"):
            name = line
            lists[name] = []
        elif line[0] != "#":
            lists[name] += line.split()
    return {name: {0x20: 0x20, **signs_of(words)} for name, words in lists.items()}


def signs_of(words):
    return {code: int(word, 16) for code, word in zip(CODES, words) if word != "-"}
