"""Mends PDFs that other programs do not read: encrypted with an owner password, damaged, or without tables of characters."""

import os
import subprocess
import tempfile

import fonts
import survey
from pikepdf import Pdf, PdfError
from refusal.refusal import refuse

# What glyphs without a letter are while a file is looked at.
MARK = "\ufffd"


def look(source):
    """Which pages must be read, how many there are, and the names of illegible fonts; None for a sound file."""
    known, pages = survey.survey(source)
    if not (known["locked"] or known["repaired"] or any(page["unknown"] for page in pages)):
        return survey.unread(pages), len(pages), None
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
    return survey.unread(pages), len(pages), broken


def mend(source, output, broken, unknown=" "):
    """Writes a PDF without encryption, with its cross-references, and with letters for all glyphs."""
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
