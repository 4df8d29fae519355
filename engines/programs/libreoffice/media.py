"""Videos and sounds inside documents: LibreOffice fails to write them into flat OpenDocument, which has no place for them."""

EMBEDDED = "vnd.sun.star.Package:"


def is_flat(store):
    return "Flat XML" in store.get("FilterName", "")


def replace_media(document):
    """Puts the picture that stands for each embedded video or sound in its place; one without a picture is removed."""
    for page in pages(document):
        for shape in [page.getByIndex(index) for index in range(page.Count)]:
            if getattr(shape, "MediaURL", "").startswith(EMBEDDED):
                picture = getattr(shape, "FallbackGraphic", None)
                if picture is not None:
                    add_picture(document, page, shape, picture)
                page.remove(shape)


def pages(document):
    if hasattr(document, "DrawPages"):
        return [document.DrawPages.getByIndex(index) for index in range(document.DrawPages.Count)]
    return [document.DrawPage] if hasattr(document, "DrawPage") else []


def add_picture(document, page, shape, picture):
    still = document.createInstance("com.sun.star.drawing.GraphicObjectShape")
    page.add(still)
    still.Graphic = picture
    still.setPosition(shape.getPosition())
    still.setSize(shape.getSize())
    still.ZOrder = shape.ZOrder
