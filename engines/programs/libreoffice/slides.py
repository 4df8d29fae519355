"""Draws slides as PowerPoint does where LibreOffice does not."""

import sys

import uno

# Fonts that LibreOffice gives to bullets without one.
SIGNS = ("OpenSymbol", "StarSymbol", "")
PRIVATE = "\ue000"


def draw_as_meant(document, spec):
    """For paper: shows a presentation that is hidden as a whole. Bullets and letters as PowerPoint sets them."""
    if spec["store"].get("FilterName") != "impress_pdf_Export":
        return
    pages = list(members(document.DrawPages))
    if not any(page.Visible for page in pages):
        for page in pages:
            page.Visible = True
    if spec["load"].get("FilterName") == "impress8" or "OpenDocument" in spec["load"].get("FilterName", ""):
        return
    for page in pages:
        for text in texts_in(page):
            try:
                set_letters(text)
            except Exception as error:  # Some shapes refuse properties of paragraphs; then they stay as they are.
                print(f"slides: {type(error).__name__}: {error}", file=sys.stderr)


def members(container):
    return (container.getByIndex(index) for index in range(container.Count))


def texts_in(shapes):
    for shape in members(shapes):
        if shape.supportsService("com.sun.star.drawing.GroupShape"):
            yield from texts_in(shape)
        elif shape.supportsService("com.sun.star.drawing.TableShape"):
            table = shape.Model
            for row in range(table.RowCount):
                for column in range(table.ColumnCount):
                    yield table.getCellByPosition(column, row)
        elif hasattr(shape, "createEnumeration") and shape.String:
            yield shape


def set_letters(text):
    each = text.createEnumeration()
    while each.hasMoreElements():
        paragraph = each.nextElement()
        # PowerPoint adds no space between East Asian and other letters.
        paragraph.ParaIsCharacterDistance = False
        level = paragraph.NumberingLevel
        if paragraph.String and level >= 0 and paragraph.NumberingIsNumber:
            set_bullet(paragraph, level)


def set_bullet(paragraph, level):
    """A bullet without a font has that of the text."""
    rules = paragraph.NumberingRules
    values = {value.Name: value for value in rules.getByIndex(level)}
    font, sign = (values[name].Value if name in values else None for name in ("BulletFont", "BulletChar"))
    if not font or font.Name not in SIGNS or not sign or sign >= PRIVATE:
        return
    font.Name = paragraph.CharFontName
    # Values of UNO are copies.
    values["BulletFont"].Value = font
    changed = uno.Any("[]com.sun.star.beans.PropertyValue", tuple(values.values()))
    uno.invoke(rules, "replaceByIndex", (level, changed))
    paragraph.NumberingRules = rules
