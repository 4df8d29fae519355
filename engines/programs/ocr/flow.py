"""Makes pages that were read into pages of visible text and photos, for programs that make flowing text of a PDF."""

import io
import math
import os

import bare
import layer
import reader
from pikepdf import Array, Dictionary, Name, Page, Pdf, Stream
from PIL import Image

# A page with fewer words is kept as a picture, with its words below: a title page, a label, a photo.
FEW = 25
# A page without text and pictures is a drawing, unless it has so many words.
PROSE = 80
# Inches. Photos are often said to be larger than any paper.
LONGEST = 17
# Shares of a page: smaller photos are specks, larger ones are the page itself.
SMALLEST, LARGEST = 0.01, 0.8


def keep_photos(folder):
    """Keeps the pictures of the pages that are read: the photos on them, or a whole page of few words."""

    def keep(number):
        reading = reader.readings[number]
        area = reading.width * reading.height
        boxes = [one for one in reading.photos if SMALLEST < size_of(one) / area < LARGEST]
        if reading.words() < FEW and reader.kinds[number] != "garbled":
            boxes = [[0, 0, reading.width, reading.height]]
        reading.photos = [(one, f"{folder}/photo-{number}-{index}.jpg") for index, one in enumerate(boxes)]
        with Image.open(reader.pictures[number]) as image:
            for one, path in reading.photos:
                image.crop(one).convert("RGB").save(path, quality=85)

    reader.told.append(keep)


def size_of(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def has_pictures(page):
    """Whether a page draws any picture, itself or in a form."""
    found = page.obj.get("/Resources", {}).get("/XObject", {})
    return any(one.get("/Subtype") in (Name.Image, Name.Form) for one in dict(found).values())


def write(source, path, drawings):
    """Writes the source with the pages that were read as text. `drawings` stay as they are, unless they say much."""
    with Pdf.open(source) as pdf:
        for number, reading in sorted(reader.readings.items()):
            page = pdf.pages[number - 1]
            has_text = reader.kinds[number] != "blank"
            if not drawings or has_text or has_pictures(page) or reading.words() >= PROSE:
                # As large as on paper: the picture may be turned, so that only the areas are equal.
                width, height = reader.sizes[number]
                inches = math.sqrt(width * height / (reading.width * reading.height))
                reading.photos = reading.photos if drawings else []
                reading.scale = 72 * min(inches, LONGEST / max(reading.width, reading.height))
                own = own_text(pdf, page.obj, reading, number) if has_text else None
                made = text_page(pdf, reading, own)
                # Comments and values of forms, whose places are those of the page as it was.
                if has_text and "/Annots" in page and own is not None and list(own.Matrix)[:4] == [1, 0, 0, 1]:
                    made.Annots = page.Annots
                pdf.pages[number - 1] = Page(made)
        pdf.save(path)


def own_text(pdf, page, reading, number):
    """The text that a page has besides what was read, where it stands in the picture that was read."""
    left, bottom, right, top = (float(value) for value in page.MediaBox)
    turn = (int(page.get("/Rotate", 0)) - reader.turns[number]) % 360
    wide = top - bottom if turn % 180 else right - left
    scale = reading.width * reading.scale / wide
    scale = 1 if abs(scale - 1) < 0.01 else scale
    matrix = {
        0: [1, 0, 0, 1, -left, -bottom],
        90: [0, -1, 1, 0, -bottom, right],
        180: [-1, 0, 0, -1, right, top],
        270: [0, 1, -1, 0, top, -left],
    }[turn]
    return bare.text_of(pdf, page, [value * scale for value in matrix])


def text_page(pdf, reading, own):
    """A page of what was read: its words, its photos, and a form with the text that the page had before."""
    page = layer.page(pdf, reading, layer.VISIBLE)
    drawn, objects = [], {}
    if own is not None:
        drawn, objects = ["/own Do"], {"/own": own}
    for index, (box, path) in enumerate(reading.photos):
        left, top, right, bottom = (value * reading.scale for value in box)
        place = f"{right - left:.2f} 0 0 {bottom - top:.2f} {left:.2f} {reading.height * reading.scale - bottom:.2f}"
        drawn.append(f"q {place} cm /photo-{index} Do Q")
        objects[f"/photo-{index}"] = photo(pdf, path)
    page.Resources.XObject = Dictionary(objects)
    page.Contents = Array([pdf.make_indirect(page.Contents), Stream(pdf, "\n".join(drawn).encode())])
    return page


def photo(pdf, path):
    with open(path, "rb") as file:
        data = file.read()
    os.unlink(path)
    with Image.open(io.BytesIO(data)) as image:
        width, height = image.size
    return pdf.make_indirect(
        Stream(
            pdf, data, Type=Name.XObject, Subtype=Name.Image, Width=width, Height=height, BitsPerComponent=8,
            ColorSpace=Name.DeviceRGB, Filter=Name.DCTDecode,
        )  # fmt: skip
    )
