"""The letters of glyphs: by their names, by known encodings, and by the tables of font programs."""

import io
import re
import unicodedata

from fontTools import agl, cffLib
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont

# Codes below the letters in TeX's fonts. OT1 is that of Computer Modern, T1 that of the European fonts.
OT1 = {
    0: "Γ", 1: "Δ", 2: "Θ", 3: "Λ", 4: "Ξ", 5: "Π", 6: "Σ", 7: "Υ", 8: "Φ", 9: "Ψ", 10: "Ω", 11: "ff", 12: "fi",
    13: "fl", 14: "ffi", 15: "ffl", 16: "ı", 18: "`", 19: "´", 20: "ˇ", 21: "˘", 22: "¯", 23: "˚", 24: "¸", 25: "ß",
    26: "æ", 27: "œ", 28: "ø", 29: "Æ", 30: "Œ", 31: "Ø", 34: "”", 39: "’", 60: "¡", 62: "¿", 92: "“", 94: "ˆ", 95: "˙",
    96: "‘", 123: "–", 124: "—", 125: "˝", 126: "˜", 127: "¨",
}  # fmt: skip
T1 = {
    16: "“", 17: "”", 18: "„", 19: "«", 20: "»", 21: "–", 22: "—", 25: "ı", 27: "ff", 28: "fi", 29: "fl", 30: "ffi",
    31: "ffl", 39: "’", 96: "‘", 127: "-", 215: "Œ", 223: "SS", 247: "œ", 255: "ß",
}  # fmt: skip
# Names that only repeat a code, such as `a65`, `char065` or, in hexadecimal numbers, `G41`, by base.
NUMBERED = {10: re.compile(r"[A-Za-z]{0,4}(\d{1,3})"), 16: re.compile(r"[A-Za-z]{1,4}?([0-9A-Fa-f]{2})")}
# Different small letters that make a font with such names one of a text in the usual codes.
SMALL_LETTERS = 10
# What no letter is.
NO_LETTER = re.compile("[\x00-\x1f\x7f\ufffd-\uffff\ue000-\uf8ff]")


def by_name(name):
    """The letters of a glyph's name; empty if it says nothing."""
    name = re.sub(r"^([A-Z])small$", lambda found: found[1].lower(), name)
    text = agl.toUnicode(re.sub("oldstyle$", "", name))
    return "" if NO_LETTER.search(text) else text


def by_code(names):
    """The letters of names that only repeat their codes, if these are ASCII and TeX's own; `names` is by code."""
    for base in NUMBERED:
        numbers = {code: number_in(name, base) for code, name in names.items()}
        same = [code for code, number in numbers.items() if number == code]
        small = sum(97 <= code <= 122 for code in same)
        if len(same) >= 0.9 * len(names) and SMALL_LETTERS <= small and 2 * small >= 0.5 * len(same):
            known = T1 if max(same) > 127 or (27 in same and 28 in same and 12 not in same) else OT1
            codes = [code for code in same if code > 31 or code in known]
            return {code: known.get(code) or bytes([code]).decode("latin-1") for code in codes}
    return {}


def number_in(name, base):
    found = NUMBERED[base].fullmatch(name)
    return int(found[1], base) if found else None


def encoding_of(font, program):
    """The names of a simple font's glyphs by code: its own encoding, else that of its program."""
    encoding = font.get("/Encoding")
    base = str(encoding.get("/BaseEncoding", "")) if hasattr(encoding, "keys") else str(encoding or "")
    if base == "/WinAnsiEncoding":
        names = named("cp1252")
    elif base == "/MacRomanEncoding":
        names = named("mac_roman")
    else:
        names = dict(enumerate(StandardEncoding)) if base or not program else dict(program)
    names = {code: name for code, name in names.items() if name != ".notdef"}
    code = 0
    for one in encoding.get("/Differences", []) if hasattr(encoding, "keys") else []:
        if isinstance(one, int):
            code = int(one)
        else:
            names[code] = str(one)[1:]
            code += 1
    return names


def named(charset):
    """The names of the letters of a character set of one byte."""
    letters = {code: bytes([code]).decode(charset, "ignore") for code in range(32, 256)}
    return {code: agl.UV2AGL.get(ord(letter), f"uni{ord(letter):04X}") for code, letter in letters.items() if letter}


def names_in_type1(data):
    """The encoding inside a Type 1 program."""
    found = re.findall(rb"dup\s+(\d{1,3})\s*/(\S+)\s+put", data[:100_000])
    return {int(code): name.decode("latin-1") for code, name in found}


def compact(data):
    """The only font of a CFF program."""
    program = cffLib.CFFFontSet()
    program.decompile(io.BytesIO(data), None)
    return program[0]


def names_in_compact(data):
    """The encoding inside a CFF program."""
    encoding = compact(data).Encoding
    return dict(enumerate(StandardEncoding)) if encoding == "StandardEncoding" else dict(enumerate(encoding))


def by_glyph(data, is_compact):
    """The letters of a font program by number of the glyph, and the glyphs that it draws."""
    if is_compact:
        found = compact(data)
        names = {} if hasattr(found, "ROS") else dict(enumerate(found.charset))
        return {number: by_name(name) for number, name in names.items()}, set(range(1, len(found.charset)))
    program = TTFont(io.BytesIO(data), lazy=True)
    letters = {}
    for code, name in (program["cmap"].getBestCmap() or {}).items() if "cmap" in program else []:
        if not NO_LETTER.search(chr(code)):
            text = unicodedata.normalize("NFKC", chr(code)) if 0xFB00 <= code <= 0xFB06 else chr(code)
            letters.setdefault(name, text)
    for name in program.getGlyphOrder():
        if name not in letters and not name.startswith("glyph"):
            letters[name] = by_name(name)
    for name, parts in ligatures(program):
        if not letters.get(name) and all(letters.get(part) for part in parts):
            letters[name] = "".join(letters[part] for part in parts)
    count = program["maxp"].numGlyphs
    places = program["loca"] if "loca" in program else range(count + 1)
    drawn = {number for number in range(1, count) if places[number + 1] > places[number]}
    return {program.getGlyphID(name): text for name, text in letters.items()}, drawn


def ligatures(program):
    """Ligatures that the rules of a font make, with their parts."""
    if "GSUB" not in program or not program["GSUB"].table.LookupList:
        return
    for lookup in program["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            table = getattr(table, "ExtSubTable", table)
            for first, found in getattr(table, "ligatures", {}).items():
                for one in found:
                    yield one.LigGlyph, [first, *one.Component]
