"""Changes to trees of lxml."""


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
