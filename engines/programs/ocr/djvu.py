"""Adds the hidden text of a DjVu file to a PDF of its pages.

`djvu.py FOLDER OUTPUT`. The folder has `pages.pdf`, one picture a page, and `words.txt`, as djvutxt prints them.
"""

import re
import sys

from layer import ADVANCE, font
from pikepdf import Name, Page, Pdf, Stream

# An expression opens with a kind and a box; a text is in quotes.
TOKEN = re.compile(r'\(\s*(\w+)((?:\s+-?\d+){4})|"((?:[^"\\]|\\.)*)"|(\))', re.S)
ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.S)
SIGNS = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}
# In heights of a box: how far its letters reach below the line that they stand on.
DESCENT = 0.2


def unescaped(text):
    def sign(match):
        code = match[1]
        return bytes([int(code, 8) & 255]) if code[:1].isdigit() else SIGNS.get(code, code)

    return ESCAPE.sub(sign, text.encode()).decode("utf8", "replace")


def pages_of(printed):
    """For each page its texts with their boxes, in pixels from the lower left corner."""
    pages, open_boxes = [], []
    for kind, box, text, closing in TOKEN.findall(printed):
        if closing:
            open_boxes = open_boxes[:-1]
        elif kind:
            open_boxes.append([int(number) for number in box.split()])
            if kind == "page":
                pages.append([])
        elif open_boxes and text.strip():
            words, box = pages[-1], open_boxes[-1]
            # Some makers give every word the box of its line.
            before = f"{words.pop()[0]} " if words and words[-1][1] == box else ""
            words.append((before + unescaped(text), box))
    return pages


def contents(words, scale):
    """The content stream that writes words where they stand, in letters that are not drawn."""
    out = ["q BT 3 Tr"]
    for text, (left, bottom, right, top) in words:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        height = (top - bottom) * scale / max(1, len(lines))
        for index, line in enumerate(lines):
            codes = line.encode("utf-16-be", "replace")
            width = (right - left) * scale / (ADVANCE * height * len(codes) / 2) if height > 0 else 0
            if width <= 0:
                continue
            y = top * scale - (index + 1 - DESCENT) * height
            place = f"1 0 0 1 {left * scale:.2f} {y:.2f} Tm"
            out.append(f"/hidden {height:.2f} Tf {100 * width:.2f} Tz {place} <{codes.hex()}> Tj")
    return "\n".join([*out, "ET Q"]).encode()


def scale_of(page):
    """Points per pixel of the picture that is the page."""
    (picture,) = page.images.values()
    return float(page.mediabox[2] - page.mediabox[0]) / int(picture.Width)


def main(folder, output):
    with open(f"{folder}/words.txt", encoding="utf8", errors="replace") as file:
        pages = pages_of(file.read())
    with Pdf.open(f"{folder}/pages.pdf") as pdf:
        # Without a damaged page, texts would be on other pages.
        if len(pages) == len(pdf.pages) and any(pages):
            hidden = font(pdf)
            for page, words in zip((Page(page) for page in pdf.pages), pages):
                if words:
                    page.contents_add(Stream(pdf, contents(words, scale_of(page))))
                    page.add_resource(hidden, Name.Font, Name.hidden)
        pdf.save(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
