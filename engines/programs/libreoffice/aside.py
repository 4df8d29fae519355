"""What stands beside a text: a plain text has no other place for it than among its lines."""


def bring_in(document):
    """Puts text boxes where they are anchored, notes behind the text, heads and feet of pages around it, each once."""
    body = document.Text
    for shape in reversed(list(members(document.DrawPage))):
        said = "\n".join(said_by(shape))
        if said.strip():
            put(body, getattr(shape, "Anchor", None), said)
    notes = [*members(document.Footnotes), *members(document.Endnotes)]
    for index, note in enumerate(notes, 1):
        body.insertString(body.End, f"\n[{note.Label or index}] {note.String.strip()}", False)
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
    """Texts of a shape and of those in it. A frame that LibreOffice lays out with the text comes as one as well."""
    if shape.supportsService("com.sun.star.drawing.GroupShape"):
        return [said for member in members(shape) for said in said_by(member)]
    return [shape.String] if hasattr(shape, "String") and shape.String else []


def put(body, anchor, said):
    """Before what is at the anchor; behind the text where nothing is, or where nothing can be put."""
    try:
        anchor.Text.insertString(anchor.Start, f"{said}\n", False)
    except Exception:  # anchors in places that take no text fail in several ways
        body.insertString(body.End, f"\n{said}", False)


def texts_of(style, place):
    """What stands at one end of the pages: on all, on left ones, on the first."""
    if not getattr(style, f"{place}IsOn"):
        return set()
    texts = (getattr(style, f"{place}Text{side}", None) for side in ("", "Left", "First"))
    return {text.String.strip() for text in texts if text is not None} - {""}
