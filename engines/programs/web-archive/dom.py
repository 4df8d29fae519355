"""Changes to the tree of a page."""

import re
from email.header import decode_header, make_header

from archive import urldefrag, urljoin
from lxml import etree
from text.tree import remove


def link(reference, base, own):
    """A link as an absolute address, or, inside of the page, a fragment."""
    address, fragment = urldefrag(urljoin(base, reference.strip()) if base else reference.strip())
    if reference.startswith("#") or (fragment and address == urldefrag(own)[0]):
        return f"#{fragment}"
    return urljoin(base, reference.strip()) if re.match(r"https?:", base or "", re.I) else reference


def described(root, subject, bare):
    """Gives the page its character set, and a title or none."""
    head = root.find("head")
    for node in list(head):
        if node.tag == "meta" and (node.get("charset") or node.get("http-equiv") or (bare and node.get("name") != "viewport")):
            remove(node)
        elif node.tag == "title" and (bare or not (node.text or "").strip()):
            remove(node)
    if not bare and head.find("title") is None and subject:
        title = etree.SubElement(head, "title")
        title.text = str(make_header(decode_header(subject)))
    head.insert(0, etree.Element("meta", charset="utf-8"))
    mend_frames(root)


def mend_frames(root):
    """Makes a body of a set of frames, whose frames have become part of the page."""
    frames = root.find("frameset")
    if frames is not None:
        body = etree.SubElement(root, "body")
        for node in [node for node in frames.iter("div") if node.getparent().tag == "frameset"]:
            body.append(node)
        remove(frames)


def written(root):
    return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")
