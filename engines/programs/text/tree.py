"""Trees of pages, and changes to them."""

import re

import html5_parser

FORMATTING = re.compile(
    r"<(/?)(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?:\s[^<>]{0,1000})?>", re.I
)
# Elements of this kind inside of one another, as in browsers. The parser takes the square of their number.
MOST = 500


def parsed(text):
    """The tree of an HTML page, with at most so many elements of letters inside of one another."""
    level = 0

    def kept(match):
        nonlocal level
        level = max(0, level - 1) if match[1] else level + 1
        return match[0] if match[1] or level <= MOST else ""

    return html5_parser.parse(FORMATTING.sub(kept, text), namespace_elements=False, sanitize_names=True)



def remove(node):
    """Removes a node, but not the text after it."""
    parent, before = node.getparent(), node.getprevious()
    if parent is None:
        return
    if node.tail and before is not None:
        before.tail = (before.tail or "") + node.tail
    elif node.tail:
        parent.text = (parent.text or "") + node.tail
    parent.remove(node)
