"""The table of contents of a help file: a page with nested lists of objects (.hhc)."""

from text.tree import parsed


def topics(text):
    """Entries of a table of contents: (level from 0, title, address), in order. Headings have no address."""
    found = []
    root = parsed(text)
    for node in root.iter("object"):
        facts = {}
        for parameter in node.iter("param"):
            facts.setdefault((parameter.get("name") or "").lower(), parameter.get("value") or "")
        if (node.get("type") or "").lower() != "text/sitemap" or not facts.get("name"):
            continue
        level = sum(above.tag == "ul" for above in node.iterancestors())
        found.append((max(0, level - 1), facts["name"].strip(), facts.get("local", "").strip()))
    return found


def outline(entries):
    """The same as a tree: lists of [title, address, children]."""
    root = []
    levels = [(-1, root)]
    for level, title, address in entries:
        while levels[-1][0] >= level:
            levels.pop()
        entry = [title, address, []]
        levels[-1][1].append(entry)
        levels.append((level, entry[2]))
    return root
