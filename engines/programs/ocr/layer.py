"""Writes the words of a page as text into a PDF, in a font without glyphs, where they stand in the picture."""

import struct
import zlib

import pikepdf
from languages import DATA
from pikepdf import Array, Dictionary, Name, Pdf, Stream

# Size of a font in heights of its line, which Tesseract measures from ascenders to descenders.
HEIGHT = 1.06
# Every character of invisible text is half as wide as the font is high.
ADVANCE = 0.5
# Visible text has fonts whose characters are multiples of this wide.
STEP = 0.025
# What visible text claims to be written in: Tesseract does not tell fonts apart.
FAMILY = "LiberationSerif"
# In line heights: the narrowest space between words.
SPACE = 0.2
# In line heights: wider gaps are those between columns, and stay gaps.
COLUMN = 1.6

INVISIBLE, VISIBLE = 3, 0


def contents(reading, mode):
    """The content stream of a page, and the widths of the fonts that it needs besides `/f-0-0`.

    Each word is as wide as it is in the picture, and spaces are as wide as its gaps.
    """
    scale = reading.scale
    advances = set()
    out = [f"BT {mode} Tr"]
    for line in reading.lines:
        size = HEIGHT * line.size * scale
        if mode == VISIBLE:
            size = max(round(2 * size) / 2, 1)
        left, right = min(word.left for word in line.words), max(word.right for word in line.words)
        middle = (left + right) / 2
        # Programs take a slanting line apart. So a line is level, or at least each of its words.
        level = mode == VISIBLE or abs(line.slope) * (right - left) < 0.7 * line.size
        out.append(f"/f-0-0 {size:.2f} Tf")
        for word, after in zip(line.words, [*line.words[1:], None]):
            pieces = [(word.text, word.left, word.right)]
            if after:
                edges = (after.right, word.left) if line.backwards else (word.right, after.left)
                gap = edges[1] - edges[0]
                # Programs join words that nearly touch, so a word gives way to the space behind it.
                lack = 0 if line.backwards else max(0, SPACE * line.size - gap)
                if lack and word.right - lack > word.left:
                    pieces = [(word.text, word.left, word.right - lack)]
                    edges = (word.right - lack, after.left)
                if gap < COLUMN * line.size:
                    pieces.append((" ", edges[0], max(edges[1], edges[0] + 1)))
            for text, start, end in pieces:
                codes = text.encode("utf-16-be")
                # Width of a character, in heights of the font.
                wide = (end - start) * scale / (size * len(codes) / 2)
                x, way = (end, -1) if line.backwards else (start, 1)
                along = middle if level else (word.left + word.right) / 2
                y = reading.height - (line.base + line.slope * (along - line.left))
                place = f"{way} 0 0 1 {x * scale:.2f} {y * scale:.2f} Tm"
                if mode == VISIBLE:
                    # Programs take stretched text for text in another size, so there is a font for each width.
                    advance = min(max(round(wide / STEP), 1), 200)
                    out.append(f"/w-{advance} {size:.2f} Tf {(wide - advance * STEP) * size:.3f} Tc")
                    advances.add(advance)
                else:
                    out.append(f"{100 * wide / ADVANCE:.2f} Tz")
                out.append(f"{place} <{codes.hex()}> Tj")
    return "\n".join([*out, "ET"]).encode(), advances


def program_of(advance):
    """The program of the font with this width of its glyphs, which MuPDF believes more than the width in the PDF."""
    with open(f"{DATA}/pdf.ttf", "rb") as file:
        program = bytearray(file.read())
    tables = {}
    for at in range(12, 12 + 16 * struct.unpack_from(">H", program, 4)[0], 16):
        name, _, start, length = struct.unpack_from(">4sIII", program, at)
        tables[name] = (start, length)
    (unit,) = struct.unpack_from(">H", program, tables[b"head"][0] + 18)
    start, length = tables[b"hmtx"]
    (metrics,) = struct.unpack_from(">H", program, tables[b"hhea"][0] + 34)
    for at in range(start, start + min(4 * metrics, length), 4):
        struct.pack_into(">H", program, at, round(unit * advance))
    return bytes(program)


def font(pdf, advance=ADVANCE, name="GlyphLessFont"):
    """Tesseract's font without glyphs: every character of Unicode's first plane is one empty glyph."""
    program = program_of(advance)
    unicode = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) "
        b"/Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def "
        b"1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange "
        b"endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    name = Name(f"/{name}")
    packed = zlib.compress(b"\x00\x01" * 65536, 9)
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=name, Flags=5, FontBBox=Array([0, -220, 500, 880]), ItalicAngle=0,
        Ascent=880, Descent=-220, CapHeight=700, StemV=80, FontFile2=Stream(pdf, program, Length1=len(program)),
    )  # fmt: skip
    descendant = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=name, DW=round(1000 * advance),
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        CIDToGIDMap=pdf.make_indirect(Stream(pdf, packed, Filter=Name.FlateDecode)),
        FontDescriptor=pdf.make_indirect(descriptor),
    )  # fmt: skip
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=name, Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(descendant)]), ToUnicode=Stream(pdf, unicode),
        )  # fmt: skip
    )


def page(pdf, reading, mode):
    """A page with the text only, that `pdf` owns."""
    stream, advances = contents(reading, mode)
    fonts = {"/f-0-0": font(pdf)}
    for advance in advances:
        fonts[f"/w-{advance}"] = font(pdf, advance * STEP, FAMILY)
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Page, MediaBox=Array([0, 0, reading.width * reading.scale, reading.height * reading.scale]),
            Contents=Stream(pdf, stream),
            Resources=Dictionary(Font=Dictionary(fonts), ProcSet=Array([Name.PDF, Name.Text])),
        )  # fmt: skip
    )


def write(reading, path):
    """Writes a PDF of one page with invisible text."""
    with Pdf.new() as pdf:
        pdf.pages.append(pikepdf.Page(page(pdf, reading, INVISIBLE)))
        pdf.save(path)
