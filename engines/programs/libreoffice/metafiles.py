"""Draws the Windows metafiles in a package of an office document as PNG: few readers show them."""

import gzip
import io
import os
import re
import sys
import zipfile

import uno
from com.sun.star.awt import Size
from packages import replace_members
from uno_values import descriptor, url

METAFILE = re.compile(r"[^/]+\.(?:emf|wmf|emz|wmz)", re.I)
MENTIONS = re.compile(r".*\.(?:xml|rels)", re.I)
NAME = re.compile(rb"(?<![\w.%-])[\w.%-]{1,200}\.(?:emf|wmf|emz|wmz)(?=[\"'])", re.I)
MOST_PICTURES = 1000
MOST_BYTES = 50_000_000  # of a picture, or of a part that names pictures
DOTS = 200  # an inch
WIDEST = 2000  # pixels of the longer side
TYPE = b'<Default Extension="png" ContentType="image/png"/>'


def redraw(desktop, source, target, folder):
    """Writes a copy of a package in which pictures in PNG take the place of metafiles. Those that are damaged stay."""
    draw = Drawer(desktop, folder)
    try:
        with zipfile.ZipFile(source) as package:
            items = [item for item in package.infolist() if item.file_size <= MOST_BYTES]
            found = [item for item in items if METAFILE.fullmatch(os.path.basename(item.filename))][:MOST_PICTURES]
            pictures = {item.filename: draw.png(package.read(item)) for item in found}
            pictures = {name: content for name, content in pictures.items() if content}
            names = {os.path.basename(name) for name in pictures}
            parts = [item for item in items if MENTIONS.fullmatch(item.filename)]
            changed = {item.filename: renamed(package.read(item), names) for item in parts}
            replace_members(package, {**changed, **pictures}, target, {name: f"{name}.png" for name in pictures})
    finally:
        draw.close()


def renamed(part, names):
    """A part with the new names of pictures."""
    if b"<Types" in part[:1000] and b'Extension="png"' not in part:
        part = part.replace(b"<Default ", TYPE + b"<Default ", 1)
    return NAME.sub(lambda found: found[0] + (b".png" if found[0].decode() in names else b""), part)


class Drawer:
    """Draws metafiles on a page of LibreOffice Draw."""

    def __init__(self, desktop, folder):
        self.folder = folder
        context = uno.getComponentContext()
        create = context.ServiceManager.createInstanceWithContext
        self.provider = create("com.sun.star.graphic.GraphicProvider", context)
        self.filter = create("com.sun.star.drawing.GraphicExportFilter", context)
        self.document = desktop.loadComponentFromURL("private:factory/sdraw", "_blank", 0, descriptor({"Hidden": True}))
        self.shape = self.document.createInstance("com.sun.star.drawing.GraphicObjectShape")
        self.document.DrawPages.getByIndex(0).add(self.shape)

    def png(self, metafile):
        """A metafile as PNG, or None if it cannot be drawn."""
        picture, drawn = os.path.join(self.folder, "picture"), os.path.join(self.folder, "drawn.png")
        try:
            with open(picture, "wb") as file:
                file.write(unpacked(metafile))
            self.shape.Graphic = self.provider.queryGraphic(descriptor({"URL": url(picture)}))
            own = self.shape.Graphic.Size100thMM
            self.shape.setSize(Size(max(own.Width, 1), max(own.Height, 1)))
            scale = min(DOTS / 2540, WIDEST / max(own.Width, own.Height, 1))
            pixels = {"PixelWidth": max(1, round(own.Width * scale)), "PixelHeight": max(1, round(own.Height * scale))}
            self.filter.setSourceDocument(self.shape)
            self.filter.filter(descriptor({"URL": url(drawn), "MediaType": "image/png", "FilterData": pixels}))
            with open(drawn, "rb") as file:
                return file.read()
        except Exception as error:  # Damaged pictures fail in many ways.
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            return None
        finally:
            for path in (picture, drawn):
                if os.path.exists(path):
                    os.remove(path)

    def close(self):
        self.document.close(True)


def unpacked(metafile):
    """Compressed metafiles are in gzip."""
    if not metafile.startswith(b"\x1f\x8b"):
        return metafile
    with gzip.GzipFile(fileobj=io.BytesIO(metafile)) as file:
        return file.read(MOST_BYTES)
