"""Reads the pages of a PDF whose words are not text, by OCRmyPDF and Tesseract.

`read.py MODE INPUT OUTPUT LANGUAGES PAGES`. MODE is `layer`, which leaves the pages as they are and adds invisible
text; `text`, which makes such pages of visible text; or `flow`, which does that with the photos on them. Prints `read` and
the number of pages with text that was found. LANGUAGES is a list with commas, or `all` for all that are installed.
PAGES are those to read, as `look` prints them.

`read.py look INPUT` prints JSON: the pages that must be read (`unread`), their number (`read`), the number of all
`pages`, whether text is in columns from right to left or has Arabic ligatures from left to right (`turned`), and, if the
file must be mended before, the names of its illegible fonts (`broken`).
`read.py mend INPUT OUTPUT FONTS` mends it. FONTS are these names as JSON.
`read.py version` prints the version of OCRmyPDF, and `read.py languages` prints `ocr` and the installed languages,
or nothing if OCRmyPDF or Tesseract is missing.
"""

import json
import os
import shutil
import sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(folder))

import languages  # noqa: E402
from refusal.refusal import refuse  # noqa: E402

# Pages that are read at one time, at most: each takes up to 400 MB.
SIDE_BY_SIDE = 3
# How sure Tesseract must be that a page lies on its side. It is about 10 for pages of text, and below 1 for photos.
SURE = 2


def version():
    """The version of OCRmyPDF; empty if it is not installed."""
    from importlib import metadata

    try:
        return metadata.version("ocrmypdf")
    except metadata.PackageNotFoundError:
        return ""


def look(source):
    """Prints what must be done with a PDF, as JSON."""
    import mending

    print(json.dumps(mending.look(source)))


def mend(source, output, names):
    import mending

    mending.mend(source, output, json.loads(names))


def read(mode, source, output, chosen, unread):
    import bare
    import ocrmypdf
    import reader
    import survey
    from ocrmypdf import exceptions

    have = languages.installed()
    wanted = [name for name in chosen.split(",") if name in have] if chosen != "all" else have
    if not wanted:
        refuse("No language for text recognition is installed")
    reader.wanted[:] = wanted
    os.environ["OMP_THREAD_LIMIT"] = "1"
    temporary = os.environ.get("TMPDIR", "/tmp")
    reader.kinds.update(survey.of_ranges(unread))
    with_text = [number for number, kind in reader.kinds.items() if kind != "blank"]
    if with_text:
        reader.bare.append(f"{temporary}/bare.pdf")
        bare.write(source, reader.bare[0], with_text)
    if mode != "layer":
        import flow
    if mode == "flow":
        flow.keep_photos(temporary)
    try:
        ocrmypdf.ocr(
            source,
            output,
            language=wanted,
            output_type="pdf",
            skip_text=True,
            rotate_pages=languages.has_osd(),
            rotate_pages_threshold=SURE,
            optimize=0,
            fast_web_view=0,
            max_image_mpixels=1000,
            jobs=min(SIDE_BY_SIDE, len(os.sched_getaffinity(0))),
            use_threads=True,
            progress_bar=True,
            plugins=["reader"],
        )
    except exceptions.EncryptedPdfError:
        refuse("The PDF asks for a password", "ENCRYPTED_INPUT")
    except exceptions.ExitCodeException as error:
        refuse(f"The text of the pages cannot be read ({type(error).__name__})")
    if mode == "layer":
        keep_description(source, output)
    else:
        flow.write(source, output, drawings=mode == "flow")
    print("read", len(reader.readings))


def keep_description(source, output):
    """Gives the result the title, author and so on of its source, in place of OCRmyPDF's own."""
    import pikepdf

    with pikepdf.open(source) as before, pikepdf.open(output, allow_overwriting_input=True) as after:
        if "/Info" in before.trailer:
            after.trailer.Info = after.copy_foreign(before.docinfo)
        elif "/Info" in after.trailer:
            del after.trailer["/Info"]
        if "/Metadata" in before.Root:
            after.Root.Metadata = after.copy_foreign(before.Root.Metadata)
        elif "/Metadata" in after.Root:
            del after.Root["/Metadata"]
        after.save()


if __name__ == "__main__":
    mode, *rest = sys.argv[1:]
    if mode == "version":
        print(version())
    elif mode == "languages":
        print(*(["ocr", *languages.installed()] if version() and shutil.which("tesseract") else []))
    elif mode == "look":
        look(*rest)
    elif mode == "mend":
        mend(*rest)
    else:
        read(mode, *rest)
