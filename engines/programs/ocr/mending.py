"""Mends PDFs that are encrypted with an owner password, damaged, or without tables of characters."""

import os
import subprocess
import tempfile

import survey
from refusal.refusal import refuse

# What glyphs without a letter are while a file is looked at.
MARK = "\ufffd"


def look(source):
    """What is known of a file: the pages to read, and, if it must be mended, its `broken` fonts."""
    known, pages = survey.survey(source)
    if not (known["locked"] or known["repaired"] or any(page["unknown"] for page in pages)):
        return described(known, pages, None)
    broken = []
    if any(page["unknown"] for page in pages):
        with tempfile.TemporaryDirectory() as folder:
            trial = os.path.join(folder, "trial.pdf")
            mend(source, trial, broken, MARK)
            known, pages = survey.survey(trial)
            broken = survey.broken(known)
            if broken:
                mend(source, trial, broken, MARK)
                _, pages = survey.survey(trial)
    return described(known, pages, broken)


def described(known, pages, broken):
    unread = survey.unread(pages)
    return {
        "unread": survey.ranges(unread), "read": len(unread), "pages": len(pages), "broken": broken,
        "turned": known["turned"],
    }  # fmt: skip


def mend(source, output, broken, unknown=" "):
    """Writes a PDF without encryption, with its cross-references, and with letters for all glyphs."""
    # Both take longer to load than most files take to look at, and most need no mending.
    import fonts
    from pikepdf import Pdf, PdfError

    with tempfile.TemporaryDirectory() as folder:
        try:
            pdf = Pdf.open(source)
            # Damaged objects are found where they are read.
            pdf.pages[-1].obj.get("/Resources")
        except (PdfError, IndexError):
            sound = os.path.join(folder, "sound.pdf")
            done = subprocess.run(["mutool", "clean", source, sound], capture_output=True, check=False)
            if done.returncode or not os.path.exists(sound):
                refuse("The PDF cannot be read")
            pdf = Pdf.open(sound)
        with pdf:
            fonts.mend(pdf, unknown, broken)
            pdf.save(output)
