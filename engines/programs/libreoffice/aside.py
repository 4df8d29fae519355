"""Moves text boxes, notes, headers and footers into the text: plain text has no other place for them."""

from columns import aligned, cells_of
from levels import parts


def bring_in(document):
    """Puts text boxes at their anchors, notes after the text, headers before and footers after it, each once."""
    body = document.Text
    for shape in reversed(list(members(document.DrawPage))):
        said = "\n".join(said_by(shape))
        if said.strip():
            put(body, getattr(shape, "Anchor", None), said)
    notes = [*members(document.Footnotes), *members(document.Endnotes)]
    for index, note in enumerate(notes, 1):
        mark = f"[{note.Label or index}]"
        body.insertString(body.End, f"\n{mark} {note.String.strip()}", False)
        # Without brackets, a mark behind a number would read as one of its digits.
        note.Label = mark
    heads, feet = set(), set()
    styles = document.StyleFamilies.getByName("PageStyles")
    for style in members(styles):
        if style.isInUse():
            heads |= texts_of(style, "Header")
            feet |= texts_of(style, "Footer")
    for said in sorted(heads):
        body.insertString(body.Start, f"{said}\n\n", False)
    for said in sorted(feet):
        body.insertString(body.End, f"\n\n{said}", False)


def members(container):
    return (container.getByIndex(index) for index in range(container.Count))


def said_by(shape):
    """The texts of a shape and of the shapes in it. Frames are included."""
    if shape.supportsService("com.sun.star.drawing.GroupShape"):
        return [said for member in members(shape) for said in said_by(member)]
    text = getattr(shape, "TextBoxContent", None) or shape
    # Their string would lack tables.
    lines = lines_in(text) if hasattr(text, "createEnumeration") else [getattr(text, "String", "")]
    return lines if any(lines) else []


def lines_in(text):
    return [line for part in parts(text) for line in (lines_of(part) if hasattr(part, "CellNames") else [part.String])]


def lines_of(table):
    return aligned(cells_of(table)) or [table.getCellByName(name).String for name in table.CellNames]


def put(body, anchor, said):
    """Inserts text before its anchor, or at the end if there is no anchor or it accepts no text."""
    try:
        anchor.Text.insertString(anchor.Start, f"{said}\n", False)
    except Exception:  # Anchors that accept no text fail in several ways.
        body.insertString(body.End, f"\n{said}", False)


def texts_of(style, place):
    """The headers or footers: of all pages, of left pages, of the first page."""
    if not getattr(style, f"{place}IsOn"):
        return set()
    texts = (getattr(style, f"{place}Text{side}", None) for side in ("", "Left", "First"))
    return {text.String.strip() for text in texts if text is not None} - {""}
