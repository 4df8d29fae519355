"""Fonts: every program embedded, and nothing beside it that contradicts it (ISO 19005-2, 6.2.11)."""

from pikepdf import Array, Dictionary, Name, Stream
from walk import dictionaries, drop, named, part

PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
SIMPLE = ("/Type1", "/MMType1", "/TrueType")
DESCENDANT = ("/CIDFontType0", "/CIDFontType2")
SYMBOLIC = 4


def fonts(pdf):
    """The fonts that pages and forms use."""
    seen = set()
    for holder in dictionaries(pdf):
        resources = part(holder, "/Resources")
        used = part(resources, "/Font") if resources is not None else None
        for key in list(used.keys()) if used is not None else []:
            font = part(used, key)
            if font is not None and font.is_indirect:
                if font.objgen in seen:
                    continue
                seen.add(font.objgen)
            # Some programs name another object where a font should be.
            yield font if font is not None else Dictionary()


def unfit(pdf):
    """Why the fonts of a PDF cannot stay as they are; None if they can."""
    for font in fonts(pdf):
        reason = trouble(font)
        if reason:
            return f"{font.get('/BaseFont', 'a font')}: {reason}"
    return None


def missing(pdf):
    """Names of fonts that the PDF does not contain, at most 16."""
    names = {str(font.get("/BaseFont", "")).lstrip("/") for font in fonts(pdf) if trouble(font) == "not embedded"}
    return sorted(names - {""})[:16]


def trouble(font):
    kind = named(font.get("/Subtype"))
    if kind == "/Type3":
        return None
    if kind == "/Type0":
        below = part(font, "/DescendantFonts", Array)
        if below is None or len(below) != 1 or named(below[0].get("/Subtype")) not in DESCENDANT:
            return "no descendant"
        return None if embedded(below[0]) else "not embedded"
    if kind not in SIMPLE:
        return "unknown kind"
    if not embedded(font):
        return "not embedded"
    if "/Widths" not in font or "/FirstChar" not in font or "/LastChar" not in font:
        return "no widths"
    symbolic = int(font.FontDescriptor.get("/Flags", 0)) & SYMBOLIC
    if kind == "/TrueType" and symbolic and "/Encoding" in font:
        return "symbols with an encoding"
    if kind == "/TrueType" and not symbolic and not encoded(font.get("/Encoding")):
        return "no encoding"
    return None


def embedded(font):
    descriptor = part(font, "/FontDescriptor")
    return descriptor is not None and any(isinstance(descriptor.get(key), Stream) for key in PROGRAMS)


def encoded(encoding):
    base = encoding.get("/BaseEncoding") if isinstance(encoding, Dictionary) else encoding
    return named(base) in ("/WinAnsiEncoding", "/MacRomanEncoding")


def mend(pdf):
    """Removes lists of glyphs, which are optional and mostly incomplete, and adds the usual map of glyphs."""
    for found in dictionaries(pdf):
        if any(key in found for key in PROGRAMS):
            drop(found, "/CIDSet", "/CharSet")
        if named(found.get("/Subtype")) == "/CIDFontType2" and "/CIDToGIDMap" not in found:
            found.CIDToGIDMap = Name.Identity
