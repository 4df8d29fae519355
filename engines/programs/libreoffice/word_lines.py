"""Where lines of texts of Word stand on paper: below the space above them, and as high as their words."""

from com.sun.star.beans.PropertyState import AMBIGUOUS_VALUE
from levels import parts
from word_fonts import BINARY, PAPER, PARAGRAPHS

BREAKS = ("PAGE_BEFORE", "PAGE_BOTH", "COLUMN_BEFORE", "COLUMN_BOTH")


def place_lines(document, spec):
    """
    Sets the lines of the body as Word does. It takes the space below a paragraph off the space above the next one, also
    where a break parts them: LibreOffice would leave all of it at the top of the page.
    """
    loaded = spec["load"].get("FilterName", "")
    is_word = loaded in BINARY or loaded.startswith("MS Word 2007")
    if not is_word or spec["store"].get("FilterName") != PAPER or document.ParagraphCount > PARAGRAPHS:
        return
    below = 0
    for paragraph in parts(document.Text):
        if not paragraph.supportsService("com.sun.star.text.Paragraph"):
            below = 0
            continue
        above = paragraph.ParaTopMargin if below else 0
        if above and begins_page(paragraph):
            paragraph.ParaTopMargin = max(0, above - below)
        below = paragraph.ParaBottomMargin
        if has_heights(paragraph):
            lower_spaces(paragraph)


def begins_page(paragraph):
    return paragraph.BreakType.value in BREAKS or bool(paragraph.PageDescName)


def has_heights(paragraph):
    """Whether letters of a paragraph differ in their height."""
    whole = paragraph.Text.createTextCursorByRange(paragraph)
    return whole.getPropertyState("CharHeight") == AMBIGUOUS_VALUE


def lower_spaces(paragraph):
    """Spaces between words make no line of Word higher."""
    texts = [portion for portion in parts(paragraph) if portion.TextPortionType == "Text"]
    heights = [portion.CharHeight for portion in texts if portion.String.strip(" ")]
    for portion in texts:
        if heights and not portion.String.strip(" ") and portion.CharHeight > max(heights):
            portion.CharHeight = max(heights)
