"""Gives the fonts of a PDF the tables of characters that they lack, so that programs find letters in them."""

import re

import glyphs
from pikepdf import Dictionary, Name, Stream

# Characters of a font's glyphs that must be known, as a share. Fonts below are illegible: all of theirs become spaces.
KNOWN = 0.7
# The names of the tables: of illegible fonts, and of others.
ILLEGIBLE, MENDED = b"/CMapName /Illegible-UCS", b"/CMapName /Adobe-UCS"
# Standard fonts without letters.
SIGNS = ("/ZapfDingbats", "/Symbol")
# Entries of one section of a table.
SECTION = 100


def mend(pdf, unknown, broken):
    """Mends all fonts.

    `unknown` is the character for glyphs whose letters are not known. `broken` are names of fonts that are illegible.
    """
    for font in pdf.objects:
        if isinstance(font, Dictionary) and font.get("/Type") == Name.Font and "/Subtype" in font:
            try:
                mend_one(pdf, font, unknown, broken)
            except Exception:  # noqa: BLE001 A damaged program says nothing about its glyphs.
                continue


def mend_one(pdf, font, unknown, broken):
    if font.Subtype == Name.Type0:
        found = wide(font)
    elif font.Subtype in (Name.Type1, Name.MMType1, Name.TrueType, Name.Type3):
        found = simple(font)
    else:
        return
    if found is None:
        return
    letters, codes, size = found
    letters = {code: text for code, text in letters.items() if text}
    own = stated(font, size)
    good = {code: text for code, text in own.items() if text and not glyphs.NO_LETTER.search(text)}
    if good:
        # The others may be codes that no page uses.
        codes = own.keys() | letters.keys()
    letters.update(good)
    missing = codes - letters.keys()
    if not missing:
        if letters != good:
            write(pdf, font, letters, size, MENDED)
    elif len(missing) > (1 - KNOWN) * len(codes) or str(font.get("/BaseFont", ""))[1:] in broken:
        write(pdf, font, dict.fromkeys(codes | letters.keys(), unknown), size, ILLEGIBLE)
    else:
        write(pdf, font, {**letters, **dict.fromkeys(missing, unknown)}, size, MENDED)


def write(pdf, font, letters, size, name):
    font.ToUnicode = pdf.make_indirect(Stream(pdf, table(letters, size, name)))


def table(letters, size, name):
    entries = [f"<{code:0{2 * size}x}> <{text.encode('utf-16-be').hex()}>" for code, text in sorted(letters.items())]
    sections = [entries[at : at + SECTION] for at in range(0, len(entries), SECTION)]
    body = "\n".join("\n".join([f"{len(some)} beginbfchar", *some, "endbfchar"]) for some in sections)
    space = f"1 begincodespacerange <{'00' * size}> <{'ff' * size}> endcodespacerange\n"
    head = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap " + name + b" def /CMapType 2 def\n"
    return head + (space + body).encode() + b"\nendcmap CMapName currentdict /CMap defineresource pop end end"


def stated(font, size):
    """What the font's own table says."""
    data = font.ToUnicode.read_bytes() if isinstance(font.get("/ToUnicode"), Stream) else b""
    found = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", data, re.S):
        for code, text in re.findall(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>", block):
            found[int(code, 16)] = decoded(text)
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", data, re.S):
        for first, last, text, several in re.findall(
            rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*(?:<([0-9a-fA-F]+)>|\[(.*?)\])", block, re.S
        ):
            codes = range(int(first, 16), min(int(last, 16) + 1, 256**size))
            texts = re.findall(rb"<([0-9a-fA-F]+)>", several)
            for index, code in enumerate(codes):
                whole = decoded(texts[index]) if index < len(texts) else decoded(text) if text else ""
                last = chr(min(ord(whole[-1]) + index * (not several), 0x10FFFF)) if whole else ""
                found[code] = whole[:-1] + last
    return found


def decoded(text):
    return bytes.fromhex(text.decode() + "0" * (len(text) % 2)).decode("utf-16-be", "ignore")


def simple(font):
    """Letters and codes of a font with one byte for each character; None for one of signs that all programs know."""
    descriptor = font.get("/FontDescriptor", Dictionary())
    if str(font.get("/BaseFont", "")) in SIGNS:
        return None
    program = {}
    if "/FontFile" in descriptor:
        program = glyphs.names_in_type1(descriptor.FontFile.read_bytes())
    elif "/FontFile3" in descriptor:
        program = glyphs.names_in_compact(descriptor.FontFile3.read_bytes())
    names = glyphs.encoding_of(font, program)
    if font.Subtype == Name.Type3:
        drawn = font.get("/CharProcs", Dictionary())
        names = {code: name for code, name in names.items() if f"/{name}" in drawn}
    else:
        used = used_in(font)
        names = {code: name for code, name in names.items() if code in used}
    letters = {code: glyphs.by_name(name) for code, name in names.items()}
    if not all(letters.values()):
        letters = {**letters, **glyphs.by_code({code: name for code, name in names.items() if not letters[code]})}
    return letters, set(names), 1


def used_in(font):
    """The codes that a font has a width for."""
    first = int(font.get("/FirstChar", 0))
    return {first + at for at, width in enumerate(font.get("/Widths", [1] * (256 - first))) if float(width)}


def wide(font):
    """Letters and codes of a font whose codes are glyphs of its program; None for other fonts."""
    below = font.DescendantFonts[0]
    info = below.get("/CIDSystemInfo", Dictionary())
    if str(font.get("/Encoding")) not in ("/Identity-H", "/Identity-V") or str(info.get("/Ordering", "")) != "Identity":
        return None
    descriptor = below.get("/FontDescriptor", Dictionary())
    program = descriptor.get("/FontFile2", descriptor.get("/FontFile3"))
    if program is None:
        return None
    is_compact = "/FontFile2" not in descriptor and program.get("/Subtype") != Name.OpenType
    letters, drawn = glyphs.by_glyph(program.read_bytes(), is_compact)
    places = below.get("/CIDToGIDMap")
    if isinstance(places, Stream):
        data = places.read_bytes()
        numbers = {at // 2: int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data) - 1, 2)}
        letters = {code: letters.get(number, "") for code, number in numbers.items()}
        return letters, {code for code, number in numbers.items() if number in drawn}, 2
    return letters, drawn, 2


def is_illegible(font):
    """Whether this font is one of which `mend` found no letters."""
    table = font.get("/ToUnicode") if isinstance(font, Dictionary) else None
    return isinstance(table, Stream) and ILLEGIBLE in table.read_bytes()


