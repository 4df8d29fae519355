"""Rewrites what LibreOffice does not understand in Word documents."""

import os
import re
import sys
import zipfile

from diagrams import worded
from packages import bytes_of, replace_members
from rtf_source import with_code_page
from sheet_source import MOST
from word_fonts import stand_ins

NOTES = re.compile(r"word/(?:header\d*|footer\d*|footnotes|endnotes)\.xml", re.I)
MAIN = "word/document.xml"
COMMENT = re.compile(rb"<w:comment(?:RangeStart|RangeEnd|Reference)\b[^<>]*/>")
CHOICE = re.compile(rb"<w:(dropDownList|comboBox)\b[^<>]*(?:/>|>(?:<w:listItem\b[^<>]*/>|\s)*</w:\1>)")
CONTROL = re.compile(rb"</?w:sdt(?:Content)?>")
BLOCK = re.compile(rb"<w:sdtContent>\s*<w:(?:p|tbl|tr|tc|sdt)\b")
EXAMINED = re.compile(r"word/(?:styles|numbering|document|header\d*|footer\d*|footnotes|endnotes|theme/theme\d*)\.xml", re.I)
# Word draws these as wide as others, LibreOffice twice as wide.
THICK = re.compile(rb'(<w:(?:top|left|start|bottom|right|end|between|bar|insideH|insideV)\b[^<>]*\bw:val=")thick(?=")')
FONT = re.compile(r'\b((?:ascii|hAnsi|eastAsia|cs|font|typeface)=")([^"<>]+)(?=")')
NEAR = 4000  # bytes from choices to the start of their content


def mended(path, spec, folder):
    """Returns the path of a document, or of a copy in `folder` if it had to change."""
    if spec["load"].get("FilterName") == "Rich Text Format":
        return with_code_page(path, folder)
    if not spec["load"].get("FilterName", "").startswith("MS Word 2007") or os.path.getsize(path) > MOST:
        return path
    try:
        with zipfile.ZipFile(path) as package:
            fonts = word_fonts(package, spec)
            parts = {item.filename: bytes_of(package, item) for item in package.infolist() if is_examined(item)}
            changed = {name: new for name, old in parts.items() if (new := rewritten(name, old, fonts)) != old}
            text = changed.get(MAIN, parts.get(MAIN, b""))
            if spec.get("plain") and b":relIds" in text:
                changed[MAIN] = worded(package, text)
            if not changed:
                return path
            copy = os.path.join(folder, os.path.basename(path))
            replace_members(package, changed, copy)
            return copy
    except Exception as error:  # LibreOffice can often read a damaged file as it is.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return path


def word_fonts(package, spec):
    """The families that stand for others on paper. None if the document brings fonts of its own."""
    own = any(name.startswith("word/fonts/") for name in package.namelist())
    return {} if own else stand_ins(spec)


def is_examined(item):
    return item.file_size <= 2 * MOST and EXAMINED.fullmatch(item.filename)


def rewritten(name, content, fonts):
    if fonts:
        content = FONT.sub(lambda found: found[1] + fonts.get(found[2], found[2]), content.decode()).encode()
    content = THICK.sub(rb"\1single", content)
    if b"<v:group" in content:
        content = b"<v:textbox".join(map(uncontrolled, content.split(b"<v:textbox")))
    if NOTES.fullmatch(name):
        # Comments in headers, footers and notes would be errors.
        return COMMENT.sub(b"", content)
    if b"dropDownList" not in content and b"comboBox" not in content:
        return content
    return CHOICE.sub(lambda found: b"" if is_block(content, found.end()) else found[0], content)


def uncontrolled(content):
    """What begins in a text box, whose controls become plain text: in groups LibreOffice would leave out their words."""
    box, end, more = content.partition(b"</v:textbox>")
    if not end:
        return content
    for name in (b"sdtPr", b"sdtEndPr"):
        first, *others = box.split(b"<w:%b>" % name)
        box = first + b"".join(part.partition(b"</w:%b>" % name)[2] for part in others)
    return CONTROL.sub(b"", box) + end + more


def is_block(content, at):
    """Whether choices belong to a control around paragraphs. LibreOffice would write one into a later control."""
    start = content.find(b"<w:sdtContent>", at, at + NEAR)
    return start >= 0 and BLOCK.match(content, start) is not None
