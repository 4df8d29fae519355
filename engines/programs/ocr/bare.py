"""Pages without the text that programs read already, for text recognition, and that text alone, for the result."""

import fonts
from pikepdf import (
    Array,
    Dictionary,
    Name,
    Operator,
    Pdf,
    PdfError,
    Stream,
    parse_content_stream,
    unparse_content_stream,
)

# Forms in forms that are looked into.
DEEPEST = 6
PAINTING = {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s"}
SHOWING = {"Tj", "TJ", "'", '"'}
HIDDEN = 3


def write(source, path, numbers):
    """Writes a PDF in which these pages show no legible text and no comments."""
    with Pdf.open(source) as pdf:
        for number in numbers:
            page = pdf.pages[number - 1].obj
            try:
                content, resources = filtered(pdf, page, page.get("/Resources", Dictionary()), False)
            except (PdfError, ValueError):
                continue
            page.Contents, page.Resources = Stream(pdf, content), resources
            if "/Annots" in page:
                del page["/Annots"]
        pdf.save(path)


def text_of(pdf, page, matrix):
    """The legible text of a page as a form that `matrix` places; None if the page is damaged."""
    try:
        content, resources = filtered(pdf, page, page.get("/Resources", Dictionary()), True)
    except (PdfError, ValueError):
        return None
    return pdf.make_indirect(
        Stream(
            pdf, content, Type=Name.XObject, Subtype=Name.Form, BBox=page.MediaBox, Matrix=Array(matrix),
            Resources=resources,
        )  # fmt: skip
    )


def filtered(pdf, owner, resources, only_text, depth=0):
    """The content of a page or form without its legible text, or with nothing else, and the resources for it."""
    resources = Dictionary(resources)
    objects = Dictionary(resources.get("/XObject", Dictionary()))
    known = {name: fonts.is_illegible(font) for name, font in resources.get("/Font", Dictionary()).items()}
    shown = []
    hides, mode, states = False, 0, []
    for operands, operator in parse_content_stream(owner):
        word = str(operator)
        if word == "q":
            states.append((hides, mode))
        elif word == "Q" and states:
            hides, mode = states.pop()
        elif word == "Tr":
            mode = operands[0]
            operands = [HIDDEN if hides else mode]
        elif word == "Do":
            one = objects.get(operands[0])
            if only_text and (one is None or one.get("/Subtype") != Name.Form):
                continue
            if one is not None and one.get("/Subtype") == Name.Form and depth < DEEPEST:
                objects[operands[0]] = form(pdf, one, resources, only_text, depth)
        elif word == "BDC" and len(operands) > 1 and isinstance(operands[1], Dictionary) and "/ActualText" in operands[1]:
            if only_text and hides:
                operands = [operands[0], Dictionary()]
        elif only_text and word in PAINTING:
            operands, operator = [], Operator("n")
        elif only_text and (word in ("sh", "INLINE IMAGE") or (hides and word in SHOWING)):
            continue
        shown.append((operands, operator))
        if word == "Tf":
            hides = known.get(str(operands[0]), False) == only_text
            shown.append(([HIDDEN if hides else mode], Operator("Tr")))
    resources.XObject = objects
    return unparse_content_stream(shown), resources


def form(pdf, one, above, only_text, depth):
    content, resources = filtered(pdf, one, one.get("/Resources", above), only_text, depth + 1)
    made = Stream(pdf, content)
    for key, value in one.items():
        if key not in ("/Length", "/Filter", "/DecodeParms", "/Resources"):
            made[key] = value
    made.Resources = resources
    return pdf.make_indirect(made)
