"""The fonts that stand for East Asian ones in documents of Word: set-up makes them, with the lines that Word sets."""

import json
import os
import re

PAPER = "writer_pdf_Export"
# The kinds of Word that are not packages of XML. Without a name, LibreOffice detects the kind.
BINARY = (None, "Rich Text Format")
PARAGRAPHS = 20_000  # A document with more keeps its fonts.
MOST = 50_000_000  # bytes of a file in which names are looked for
EAST_ASIAN = re.compile(rb"\\fcharset1(28|29|34|36)")
NAMES = ("CharFontName", "CharFontNameAsian")


def stand_ins(spec):
    """By the name of a font in a document: the family that stands for it on paper. Empty for other targets."""
    path = os.path.join(os.path.dirname(os.environ.get("FONTCONFIG_FILE", "")), "in-word.json")
    if spec["store"].get("FilterName") != PAPER or not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def replace_fonts(document, path, spec):
    """Replaces the fonts of DOC and RTF. Those of DOCX were replaced in its source."""
    fonts = stand_ins(spec) if spec["load"].get("FilterName") in BINARY else {}
    if not fonts or document.ParagraphCount > PARAGRAPHS or not are_named(path, fonts):
        return
    document.lockControllers()
    try:
        replace_all(document, fonts)
    finally:
        document.unlockControllers()


def are_named(path, fonts):
    """Whether a file contains one of the names. In RTF, letters beyond ASCII have many forms."""
    with open(path, "rb") as file:
        content = file.read(MOST)
    forms = (name.encode(code) for name in fonts for code in ("utf8", "utf-16le"))
    return EAST_ASIAN.search(content) or any(form in content for form in forms)


def replace_all(document, fonts):
    for kind in ("ParagraphStyles", "CharacterStyles"):
        styles = document.StyleFamilies.getByName(kind)
        for index in range(styles.Count):
            replace(styles.getByIndex(index), fonts)
    for text in texts(document):
        replace_in(text, fonts)


def texts(document):
    """The body, notes, frames, headers and footers."""
    yield document.Text
    for notes in (document.Footnotes, document.Endnotes):
        yield from (notes.getByIndex(index) for index in range(notes.Count))
    yield from (document.TextFrames.getByName(name) for name in document.TextFrames.ElementNames)
    pages = document.StyleFamilies.getByName("PageStyles")
    for style in (pages.getByIndex(index) for index in range(pages.Count)):
        for place in ("Header", "Footer"):
            if style.isInUse() and getattr(style, f"{place}IsOn"):
                yield getattr(style, f"{place}Text")


def replace_in(text, fonts):
    for part in parts(text):
        if part.supportsService("com.sun.star.text.TextTable"):
            for name in part.CellNames:
                replace_in(part.getCellByName(name), fonts)
        else:
            for portion in parts(part):
                replace(portion, fonts)


def parts(container):
    each = container.createEnumeration()
    while each.hasMoreElements():
        yield each.nextElement()


def replace(holder, fonts):
    for name in NAMES:
        font = getattr(holder, name, None)
        if font in fonts:
            setattr(holder, name, fonts[font])
