"""Reads what Tesseract found on a page: its hOCR."""

import re
from collections import Counter
from dataclasses import dataclass, field
from xml.etree import ElementTree

# Percent. Words below are counted as noise.
SURE = 50


@dataclass
class Word:
    text: str
    left: float
    right: float
    sure: bool


@dataclass
class Line:
    """Words of one line, with its baseline: `base` at `left`, falling by `slope` pixels a pixel."""

    words: list
    left: float
    base: float
    slope: float
    size: float
    backwards: bool


@dataclass
class Reading:
    """A page in pixels of its picture: lines in reading order, and the boxes of photos."""

    width: int
    height: int
    # Points per pixel: as at 300 dots an inch.
    scale: float = 72 / 300
    lines: list = field(default_factory=list)
    photos: list = field(default_factory=list)
    languages: Counter = field(default_factory=Counter)

    def language(self):
        """The language of most words."""
        return max(self.languages, key=self.languages.get, default=None)

    def words(self):
        """The number of words that are no noise."""
        return sum(word.sure for line in self.lines for word in line.words)


def properties(element):
    """The title of an element as a dictionary of lists of numbers."""
    parts = (part.split() for part in element.get("title", "").split(";"))
    return {name: values for name, *values in (part for part in parts if part)}


def box(element):
    return [int(value) for value in properties(element)["bbox"]]


def read(path):
    """The page of an hOCR file. Noise is left out: lines without any word that Tesseract is sure of."""
    page = next(one for one in ElementTree.parse(path).iter() if one.get("class") == "ocr_page")
    _, _, width, height = box(page)
    reading = Reading(width, height)
    for area in page.iter():
        if area.get("class") == "ocr_photo":
            reading.photos.append(box(area))
        if area.get("class") == "ocr_par":
            lines = [line for line in map(line_of, area) if line]
            for word in area.iter():
                if word.get("class") == "ocrx_word":
                    reading.languages[word.get("lang", area.get("lang"))] += 1
            size = middle([(line.size, len(line.words)) for line in lines])
            for line in lines:
                line.size = size if abs(line.size - size) < 0.2 * size else line.size
            reading.lines += lines
    # Letters without descenders and ascenders make lines look smaller: sizes near the usual one become the usual one.
    usual = middle([(line.size, len(line.words)) for line in reading.lines])
    for line in reading.lines:
        line.size = usual if abs(line.size - usual) < 0.15 * usual else line.size
    return reading


def middle(weighted):
    """The weighted median of pairs of value and weight; 0 if there are none."""
    weighted = sorted(weighted)
    half, seen = sum(weight for _, weight in weighted) / 2, 0
    for value, weight in weighted:
        seen += weight
        if seen >= half:
            return value
    return 0


def line_of(element):
    """The line of an element; None if it holds noise only."""
    words = [word for word in map(word_of, element) if word]
    if not any(word.sure for word in words):
        return None
    found = properties(element)
    left, _, _, bottom = box(element)
    slope, offset = (float(value) for value in found.get("baseline", ["0", "0"]))
    size = float(found.get("x_size", ["10"])[0])
    backwards = any(one.get("dir") == "rtl" for one in element)
    return Line(words, left, bottom + offset, slope, size, backwards)


def word_of(element):
    text = re.sub(r"\s+", " ", "".join(element.itertext())).strip()
    if not text:
        return None
    left, _, right, _ = box(element)
    confidence = int(properties(element).get("x_wconf", ["0"])[0])
    sure = confidence >= SURE and any(letter.isalnum() for letter in text)
    return Word(text, left, max(right, left + 1), sure)
