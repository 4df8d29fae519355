"""Frames of HTML pages."""

from html import escape


def page(body, title="", author=None, style=""):
    """An HTML page with a title and, unless it is None, an author. `style` and `body` are HTML already."""
    about = "" if author is None else f'<meta name="author" content="{escape(author)}">'
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"{about}{style}</head><body>\n{body}\n</body></html>\n"
    )
