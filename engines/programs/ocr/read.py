"""Reads the pages of a PDF that have no text, by OCRmyPDF and Tesseract.

`read.py MODE INPUT OUTPUT LANGUAGES`. MODE is `layer`, which leaves the pages as they are and adds invisible text;
`text`, which makes such pages of visible text; or `flow`, which does that with the photos on them. Prints `read` and the number of pages with text that was
found. LANGUAGES is a list with commas, or `all` for all that are installed.

`read.py look INPUT` only prints the number of pages without text, and the number of pages.
`read.py version` prints the version of OCRmyPDF, and `read.py languages` prints `ocr` and the installed languages,
or nothing if OCRmyPDF or Tesseract is missing.
"""

import os
import re
import shutil
import subprocess
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
    """Counts pages without letters, and all pages. Does not tell visible from invisible text."""
    found = subprocess.run(["pdftotext", "-enc", "UTF-8", source, "-"], capture_output=True, check=False)
    said = found.stderr.decode("utf-8", "replace")
    if "Incorrect password" in said:
        refuse("The PDF asks for a password", "ENCRYPTED_INPUT")
    if found.returncode:
        refuse("The PDF cannot be read")
    pages = found.stdout.decode("utf-8", "replace").split("\f")[:-1]
    print(sum(not re.search(r"\w", page) for page in pages), len(pages))


def read(mode, source, output, chosen):
    import ocrmypdf
    import reader
    from ocrmypdf import exceptions

    have = languages.installed()
    wanted = [name for name in chosen.split(",") if name in have] if chosen != "all" else have
    if not wanted:
        refuse("No language for text recognition is installed")
    reader.wanted[:] = wanted
    os.environ["OMP_THREAD_LIMIT"] = "1"
    if mode != "layer":
        import flow
    if mode == "flow":
        flow.keep_photos(os.environ.get("TMPDIR", "/tmp"))
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
    else:
        read(mode, *rest)
