"""Walks over the objects of a PDF."""

from pikepdf import Array, Dictionary, Name, Stream

# More direct objects inside one another would be an attack.
DEEPEST = 60


def dictionaries(pdf):
    """Each dictionary and stream of a PDF once, also those inside other objects."""
    for top in pdf.objects:
        yield from _inside(top, 0)


def arrays(pdf):
    """Each array of a PDF once."""
    for top in pdf.objects:
        yield from _inside(top, 0, wanted=Array)


def _inside(value, depth, wanted=(Dictionary, Stream)):
    if depth > DEEPEST or not isinstance(value, (Dictionary, Stream, Array)):
        return
    if isinstance(value, wanted):
        yield value
    children = list(value) if isinstance(value, Array) else [value.get(key) for key in list(value.keys())]
    for child in children:
        # Indirect ones come by themselves.
        if isinstance(child, (Dictionary, Array)) and not child.is_indirect:
            yield from _inside(child, depth + 1, wanted)


def named(value):
    """A name as text; empty for anything else."""
    return str(value) if isinstance(value, Name) else ""


def drop(holder, *keys):
    """Removes these keys of a dictionary."""
    for key in keys:
        if key in holder:
            del holder[key]


def part(holder, key, kind=Dictionary):
    """The value of a key if it is of that kind, else None."""
    found = holder.get(key)
    return found if isinstance(found, kind) else None
