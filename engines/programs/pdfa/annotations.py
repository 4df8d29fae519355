"""Comments, links and forms (ISO 19005-2, 6.3 to 6.5)."""

from pikepdf import Array, Dictionary, Name, Stream
from walk import dictionaries, drop, named, part

INVISIBLE, HIDDEN, PRINT, NO_ZOOM, NO_ROTATE, NO_VIEW, TOGGLE = 1, 2, 4, 8, 16, 32, 256

ALLOWED = {
    f"/{name}" for name in (
        "Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink "
        "Popup Widget PrinterMark TrapNet Watermark Redact"
    ).split()
}  # fmt: skip

# Those that need no appearance.
PLAIN = ("/Popup", "/Link", "/Widget")

ACTIONS = ("/GoTo", "/GoToR", "/URI", "/Thread", "/Named")
NAMED = ("/NextPage", "/PrevPage", "/FirstPage", "/LastPage")


def of(page):
    found = part(page.obj, "/Annots", Array)
    return [one for one in found if isinstance(one, Dictionary)] if found is not None else []


def flags_of(annotation):
    flags = annotation.get("/F", 0)
    return int(flags) if isinstance(flags, int) else 0


def shown(annotation):
    """Whether a comment is one that stays and that people see."""
    if named(annotation.get("/Subtype")) not in ALLOWED:
        return False
    return not flags_of(annotation) & (INVISIBLE | HIDDEN | NO_VIEW)


def drawn(annotation):
    appearance = part(annotation, "/AP")
    return appearance is not None and isinstance(appearance.get("/N"), (Stream, Dictionary))


def without_appearance(pdf):
    """Whether comments that people see have no appearance."""
    return any(
        shown(one) and named(one.Subtype) not in PLAIN and not drawn(one) for page in pdf.pages for one in of(page)
    )


def mend(pdf):
    flatten_forms(pdf)
    for page in pdf.pages:
        kept = [one for one in of(page) if stays(one)]
        if kept:
            page.obj.Annots = Array(kept)
        else:
            drop(page.obj, "/Annots")
    for found in dictionaries(pdf):
        for key in ("/A", "/PA", "/OpenAction"):
            mend_action(found, key)


def flatten_forms(pdf):
    """Makes fields and signatures part of the page."""
    drop(pdf.Root, "/NeedsRendering", "/Perms", "/DSS")
    if not any(named(one.get("/Subtype")) == "/Widget" for page in pdf.pages for one in of(page)):
        drop(pdf.Root, "/AcroForm")
        return
    others = {}
    for index, page in enumerate(pdf.pages):
        others[index] = [one for one in of(page) if named(one.get("/Subtype")) != "/Widget"]
        fields = [one for one in of(page) if named(one.get("/Subtype")) == "/Widget" and shown(one)]
        page.obj.Annots = pdf.make_indirect(Array(fields))
    form = part(pdf.Root, "/AcroForm")
    if form is not None and form.get("/NeedAppearances", False):
        pdf.generate_appearance_streams()
    pdf.flatten_annotations("all")
    for index, page in enumerate(pdf.pages):
        page.obj.Annots = Array(others[index])
    drop(pdf.Root, "/AcroForm")


def stays(annotation):
    """Mends a comment. Returns whether it stays."""
    kind = named(annotation.get("/Subtype"))
    if not shown(annotation) or (kind not in PLAIN and not drawn(annotation)):
        return False
    flags = (flags_of(annotation) | PRINT) & ~TOGGLE
    annotation.F = flags | (NO_ZOOM | NO_ROTATE if kind == "/Text" else 0)
    drop(annotation, "/AA", "/FS", "/Sound", "/Movie", "/AF")
    appearance = part(annotation, "/AP")
    if appearance is not None:
        drop(appearance, "/D", "/R")
        states = part(appearance, "/N")
        if states is not None and not isinstance(states, Stream):
            state = states.get(named(annotation.get("/AS")) or "/Off")
            if not isinstance(state, Stream):
                return False
            appearance.N = state
        if not isinstance(appearance.get("/N"), Stream):
            del annotation["/AP"]
        elif "/Resources" not in appearance.N:
            appearance.N.Resources = Dictionary()
    for key in ("/C", "/IC"):
        inks = part(annotation, key, Array)
        if inks is not None and len(inks) == 4:
            cyan, magenta, yellow, black = (float(ink) for ink in inks)
            annotation[key] = Array([(1 - ink) * (1 - black) for ink in (cyan, magenta, yellow)])
    return True


def mend_action(holder, key):
    """Removes an action that runs a program, plays something or opens an attachment, and those that follow it."""
    action = part(holder, key)
    if action is None or "/S" not in action:
        return
    kind = named(action.S)
    if kind not in ACTIONS or (kind == "/Named" and named(action.get("/N")) not in NAMED):
        del holder[key]
    else:
        drop(action, "/Next")
