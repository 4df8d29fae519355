"""One conversion in a running LibreOffice."""

import errno
import json
import os
import shutil
import struct
import sys
import zipfile
import zlib
from tempfile import mkdtemp

import uno
import unohelper
from com.sun.star.awt import Point
from com.sun.star.task import XInteractionHandler
from aside import bring_in
from changes import drop_deleted
from columns import spread
from forms import is_compound, older_form
from levels import repair
from locks import is_locked_compound
from media import is_flat, replace_media
from metafiles import redraw
from packages import sound
from results import calculate_open, keep_results
from sheet_pages import lay_out
from sheets import CALC, editable_copy, repair_values
from slides import draw_as_meant
from text_input import text_options
from uno_values import descriptor, url
from word_fonts import replace_fonts
from word_lines import place_lines
from word_source import mended

TEXT = "com.sun.star.text.TextDocument"
SLIDES = "com.sun.star.presentation.PresentationDocument"
# MacroExecutionMode.NEVER_EXECUTE, UpdateDocMode.NO_UPDATE: a document runs no code, and no linked file is loaded.
# A template is opened itself: a new document made from it would have no author.
LOAD = {"Hidden": True, "ReadOnly": True, "AsTemplate": False, "MacroExecutionMode": 0, "UpdateDocMode": 0}

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Doorman(unohelper.Base, XInteractionHandler):
    """Ignores LibreOffice's questions to the user, and remembers whether it asked for a password."""

    def __init__(self):
        self.locked = False

    def handle(self, request):
        kind = type(request.getRequest()).__name__
        self.locked = self.locked or "Password" in kind
        for continuation in request.getContinuations():
            if "XInteractionAbort" in str(getattr(continuation, "Types", "")):
                continuation.select()
                return


def convert(desktop, source, target, spec_json):
    """Returns the last line of a job's answer."""
    spec = json.loads(spec_json)
    doorman = Doorman()
    document, folder = None, None
    try:
        if is_locked_package(source):
            return locked()
        # Beside the result: /tmp is a small file system in memory.
        folder = mkdtemp(dir=os.path.dirname(os.path.abspath(target)))
        source = sound(source, folder)
        if spec.get("metafiles"):
            redraw(desktop, source, target, folder)
            return {"done": True}
        if "FilterName" not in spec["load"]:
            spec["load"] |= older_form(source, spec["service"])
            if not spec["load"] and not is_compound(source):
                return refused()
        path, own = editable_copy(source, spec, folder)
        path = mended(path, spec, folder)
        load = {**LOAD, **spec["load"], **text_options(source, spec), **own, "InteractionHandler": doorman}
        document = desktop.loadComponentFromURL(url(path), "_blank", 0, descriptor(load))
        if document is None or not document.supportsService(spec["service"]) or taken_for_text(document, spec):
            return unread(doorman, source)
        if spec.get("strip"):
            strip(document.DocumentProperties)
        elif spec.get("title") and not document.DocumentProperties.Title.strip():
            document.DocumentProperties.Title = spec["title"]
        if document.supportsService(TEXT):
            repair(document, spec)
            replace_fonts(document, path, spec)
            place_lines(document, spec)
            if spec.get("final"):
                drop_deleted(document)
        if document.supportsService(CALC) and not document.isReadonly():
            asked = calculate_open(document, path)
            repair_values(document, spec)
            keep_results(document, path, asked)
            if spec["store"].get("FilterName") == "calc_pdf_Export":
                lay_out(document, path)
        if document.supportsService(SLIDES):
            draw_as_meant(document, spec)
        if spec.get("plain") and document.supportsService(TEXT):
            # No layout after each change: of some documents it would not end.
            document.lockControllers()
            bring_in(document)
            spread(document)
        if spec.get("fit") and not fit(document.DrawPages.getByIndex(0), points_of(source)):
            return refused()
        if is_flat(spec["store"]) and not document.supportsService(CALC):
            replace_media(document)
        document.storeToURL(url(target), descriptor({"Overwrite": True, **spec["store"]}))
        if spec.get("plain"):
            drop_mark(target)
        tell_pages(document)
        return {"done": True}
    except Exception as error:  # The bridge maps LibreOffice's errors to many classes.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        if isinstance(error, OSError) and error.errno in FULL:
            return too_large()
        return unread(doorman, source)
    finally:
        close(document)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def is_locked_package(path):
    """Whether an OpenDocument package is encrypted (part 2, §3.4). LibreOffice does not always ask for the password."""
    try:
        with zipfile.ZipFile(path) as package, package.open("META-INF/manifest.xml") as manifest:
            return b"encryption-data" in manifest.read(1 << 20)
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError, zlib.error, EOFError):
        return False


def taken_for_text(document, spec):
    """Whether LibreOffice detected the filter itself, and took a damaged document for plain text."""
    used = next((entry.Value for entry in document.getArgs() if entry.Name == "FilterName"), "")
    return "FilterName" not in spec["load"] and used.startswith(("Text", "HTML", "Rich"))


def tell_pages(document):
    """Prints how many pages or slides the document has, once LibreOffice has laid it out. Sheets have none."""
    try:
        if document.supportsService(TEXT):
            print(json.dumps({"pages": document.CurrentController.PageCount}), flush=True)
        elif hasattr(document, "DrawPages") and not document.supportsService(CALC):
            print(json.dumps({"pages": document.DrawPages.Count}), flush=True)
    except Exception as error:
        print(f"counting: {error}", file=sys.stderr)


def close(document):
    try:
        if document is not None:
            document.close(True)
    except Exception as error:
        print(f"closing: {error}", file=sys.stderr)


def strip(properties):
    properties.resetUserData("")
    properties.Title = properties.Subject = properties.Description = properties.Generator = ""
    properties.Author = properties.ModifiedBy = properties.PrintedBy = ""
    properties.Keywords = ()
    own = properties.UserDefinedProperties
    for entry in own.PropertySetInfo.Properties:
        own.removeProperty(entry.Name)


# A PICT, behind 512 bytes for programs, the length and the frame, which is in points.
PICT = b"\x00\x11\x02\xff\x0c\x00"
HUNDREDTHS = 2540 / 72  # of a millimetre in a point


def points_of(path):
    """Width and height of a PICT; else None. LibreOffice goes by its resolution, or takes it for 24 times as large."""
    with open(path, "rb") as file:
        head = file.read(528)[512:]
    if head[10:] != PICT:
        return None
    top, left, bottom, right = struct.unpack(">4h", head[2:10])
    return right - left, bottom - top


def fit(page, points):
    """Resizes a page to the original size of the picture on it. Returns whether there is a picture."""
    if not page.Count:
        return False
    shape = page.getByIndex(0)
    own = getattr(getattr(shape, "Graphic", None), "Size100thMM", None)
    if own and points and min(points) > 0:
        own.Width, own.Height = (round(side * HUNDREDTHS) for side in points)
    if own and own.Width > 1 and own.Height > 1:
        shape.setSize(own)
    page.BorderLeft = page.BorderTop = page.BorderRight = page.BorderBottom = 0
    # 0.01 mm less: sizes were rounded up, and a strip of paper one pixel wide would remain.
    page.Width, page.Height = shape.Size.Width - 1, shape.Size.Height - 1
    shape.setPosition(Point(0, 0))
    return True


def drop_mark(path):
    """Removes the byte order mark that LibreOffice writes."""
    with open(path, "rb") as file:
        text = file.read()
    with open(path, "wb") as file:
        file.write(text.removeprefix(b"\xef\xbb\xbf"))


def unread(doorman, source):
    return locked() if doorman.locked or is_locked_compound(source) else refused()


def refused():
    return {"error": {"code": "CONVERSION_ERROR", "message": ""}}


def too_large():
    return {"error": {"code": "RESOURCE_LIMIT", "message": "The document needs more space than a conversion may use"}}


def locked():
    return {"error": {"code": "ENCRYPTED_INPUT", "message": "The document asks for a password"}}
