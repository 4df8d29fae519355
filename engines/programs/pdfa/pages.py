"""What pages are drawn with: their contents, pictures and forms (ISO 19005-2, 6.2.2 and 6.2.5 to 6.2.9)."""

import re

from pikepdf import Dictionary, Name, Stream
from walk import dictionaries, drop, named, part

# Graphics states that are saved inside one another.
DEEPEST = 28

STATES = re.compile(rb"(?<![^\s])[qQ](?![^\s])")
INTENTS = ("/AbsoluteColorimetric", "/RelativeColorimetric", "/Saturation", "/Perceptual")
SHORT = re.compile(rb"\sBI\s(?:(?!\sID\s).){0,400}?/LZW", re.DOTALL)


def unfit(pdf):
    """Why the contents of a PDF cannot stay as they are; None if they can."""
    for found in pdf.objects:
        if isinstance(found, Stream) and named(found.get("/Subtype")) in ("/PS", "/PostScript"):
            return "PostScript"
    for page in pdf.pages:
        try:
            page.contents_coalesce()
            contents = page.obj.get("/Contents")
            data = contents.read_bytes() if isinstance(contents, Stream) else b""
        except Exception:  # pikepdf has several for streams that cannot be decoded.
            return "damaged"
        if SHORT.search(data):
            return "LZW"
        if depth_of(data) > DEEPEST:
            return "too many graphics states"
    return None


def depth_of(data):
    depth = deepest = 0
    for found in STATES.finditer(data):
        depth += 1 if found[0] == b"q" else -1
        deepest = max(deepest, depth)
    return deepest


def mend(pdf):
    for page in pdf.pages:
        own = page.obj
        resources = page.resources if "/Resources" in own or "/Parent" in own else None
        own.Resources = resources if isinstance(resources, Dictionary) else Dictionary()
        drop(own, "/AA", "/PresSteps", "/AF")
        hand_down(own)
    for found in dictionaries(pdf):
        if named(found.get("/Subtype")) == "/Image" or "/BitsPerComponent" in found:
            drop(found, "/Alternates", "/OPI")
            if "/Interpolate" in found:
                found.Interpolate = False
            if named(found.get("/Intent")) not in ("", *INTENTS):
                del found["/Intent"]
        if named(found.get("/Subtype")) == "/Form" and isinstance(found, Stream):
            drop(found, "/OPI", "/PS", "/Ref", "/Subtype2")
        if named(found.get("/RI")) not in ("", *INTENTS):
            found.RI = Name.RelativeColorimetric
        if isinstance(found, Stream):
            drop(found, "/F", "/FFilter", "/FDecodeParms")


def hand_down(page):
    """Gives forms without resources those of the page that shows them."""
    seen, waiting = set(), [page]
    while waiting:
        holder = waiting.pop()
        resources = part(holder, "/Resources")
        shown = part(resources, "/XObject") if resources is not None else None
        for key in list(shown.keys()) if shown is not None else []:
            form = shown.get(key)
            if not isinstance(form, Stream) or named(form.get("/Subtype")) != "/Form" or form.objgen in seen:
                continue
            seen.add(form.objgen)
            if "/Resources" not in form:
                form.Resources = resources
            waiting.append(form)
