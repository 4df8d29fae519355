"""What is known of the pages of a PDF: which of them must be read, and whether the file itself must be mended first."""

import json
import os
import subprocess
from collections import Counter

from refusal.refusal import refuse

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "mupdf", "survey.js")

# A picture that covers this share of a page with few letters is a scan.
SCAN = 0.5
# More pages than this have the same picture: it is a background.
SAME = 1
# Glyphs without a letter that make a page illegible: as many, and as large a share of all.
UNKNOWN, GARBLED = 5, 0.08
# The same for glyphs beside letters, which make a font illegible: words would lack letters.
BESIDE, BROKEN = 3, 0.01


def survey(source):
    """What is known of a PDF, and of each of its pages. Refuses a file that MuPDF cannot read."""
    done = subprocess.run(["mutool", "run", PROGRAM, source], capture_output=True, check=False)
    found = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    if found and "code" in found[0]:
        refuse(found[0]["message"], found[0]["code"])
    if done.returncode or not found:
        refuse("The PDF cannot be read")
    return found[0], found[1:]


def unread(pages):
    """The pages that must be read: `blank` without letters, `garbled` with illegible ones, or `scan` with few."""
    shown = Counter(name for page in pages for name in set(page.get("pictures", [])))
    return {number: kind for number, page in enumerate(pages, 1) if (kind := kind_of(page, shown))}


def kind_of(page, shown):
    unknown, letters = page["unknown"], page["letters"]
    if letters == 0:
        return "garbled" if unknown else "blank"
    if unknown >= UNKNOWN and unknown >= GARBLED * (unknown + letters):
        return "garbled"
    own = all(shown[name] <= SAME for name in page.get("pictures", []))
    return "scan" if own and page.get("cover", 0) >= SCAN else None


def broken(known):
    """The names of fonts that lack letters within words."""
    fonts = known["fonts"].items()
    return [name for name, seen in fonts if seen["beside"] >= max(BESIDE, BROKEN * seen["letters"])]


def ranges(unread):
    """Pages by kind as text: `blank:1-3,7 scan:9`."""
    parts = {}
    for number, kind in sorted(unread.items()):
        some = parts.setdefault(kind, [])
        if some and some[-1][1] == number - 1:
            some[-1][1] = number
        else:
            some.append([number, number])
    return " ".join(
        f"{kind}:" + ",".join(str(first) if first == last else f"{first}-{last}" for first, last in some)
        for kind, some in parts.items()
    )


def of_ranges(text):
    """The pages of `ranges`."""
    found = {}
    for part in text.split():
        kind, some = part.split(":")
        for one in some.split(","):
            first, _, last = one.partition("-")
            found.update(dict.fromkeys(range(int(first), int(last or first) + 1), kind))
    return found
