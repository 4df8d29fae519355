"""Repairs what LibreOffice loses: words in frames in HTML; of RTF and older texts headings in HTML, and links in PDF."""

from com.sun.star.text.TextContentAnchorType import AS_CHARACTER, AT_CHARACTER


def repair(document, spec):
    """Gives headings and links their styles, which its exports look for. Only RTF and older texts need those."""
    loaded, stored = spec["load"].get("FilterName"), spec["store"].get("FilterName", "")
    is_rtf = loaded == "Rich Text Format"
    to_page, to_paper = "HTML" in stored, stored.endswith("pdf_Export")
    if to_page:
        free_frames(document)
    if not (to_page and (is_rtf or loaded is None) or to_paper and is_rtf):
        return
    for paragraph in parts(document.Text):
        if not paragraph.supportsService("com.sun.star.text.Paragraph"):
            continue
        level = paragraph.OutlineLevel
        if to_page and level and not paragraph.ParaStyleName.startswith("Heading"):
            paragraph.ParaStyleName = f"Heading {level}"
        for portion in parts(paragraph) if to_paper else ():
            if portion.HyperLinkURL and portion.UnvisitedCharStyleName == "Default Style":
                portion.UnvisitedCharStyleName = "Internet link"


def free_frames(document):
    """Frames that stand in a line, often with a caption, would become pictures of their words."""
    for name in document.TextFrames.ElementNames:
        frame = document.TextFrames.getByName(name)
        if frame.AnchorType == AS_CHARACTER:
            frame.AnchorType = AT_CHARACTER


def parts(container):
    each = container.createEnumeration()
    while each.hasMoreElements():
        yield each.nextElement()
