"""Makes one HTML page from a mail, a standard message or one that Outlook saved: `page.py [--bare] INPUT OUTPUT`."""

import base64
import html
import os
import re
import sys
from urllib.parse import unquote

import olefile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from internet import CONTENT_ID, read_message  # noqa: E402
from outlook import read_outlook  # noqa: E402
from text.page import page  # noqa: E402

LABELS = ("From", "To", "Cc", "Date", "Subject")
# Scripts, and elements that load other files, are left out.
# In the patterns, what is not closed reaches the end or the next of its kind, so that no part is searched twice.
DROPPED = re.compile(
    r"<(script|iframe)\b.*?(?:</\1\s*>|\Z)"
    r"|<(object|embed|applet)\b[^<]*+(?:<(?!/?\2\b)[^<]*+)*</\2\s*>"
    r"|<(object|embed|base|link)\b[^>]*>?",
    re.I | re.S,
)
FRAME = re.compile(
    r"</?(html|body)\b[^>]*>?|<head\b[^<]*+(?:<(?!/?head\b)[^<]*+)*</head\s*>|<!doctype[^>]*>?|<\?xml[^>]*>?", re.I
)
# Named pages would put headers, text and attachments on separate sheets.
ONE_PAGE = "<style>* { page: auto !important }</style>\n"
STYLE = re.compile(r"<style\b[^<]*+(?:<(?!/?style\b)[^<]*+)*</style\s*>", re.I)


def page_of(mail, bare):
    """Returns a mail as HTML. `internet.py` tells what it consists of."""
    title, author = ("" if bare else mail["headers"].get(label) or "" for label in ("Subject", "From"))
    styles = []
    body = body_of(mail, styles)
    return page(body, title, None if bare else author, "\n".join(styles) + ONE_PAGE if styles else "")


def body_of(mail, styles):
    """The headers, parts and attachments of a mail. Adds its style sheets to `styles`."""
    rows = "".join(
        f"<tr><th>{label}</th><td>{html.escape(mail['headers'][label])}</td></tr>\n"
        for label in LABELS
        if mail["headers"].get(label)
    )
    body = "\n<hr>\n".join(part_of(part, mail, styles) for part in mail["parts"])
    names = "".join(f"<li>{html.escape(name)}</li>\n" for name in mail["attachments"])
    attached = f"<hr>\n<p>Attachments:</p>\n<ul>\n{names}</ul>\n" if names else ""
    return f"<table>\n{rows}</table>\n<hr>\n{body}\n{attached}"


def part_of(part, mail, styles):
    """One part of a mail, as HTML."""
    if "mail" in part:
        return f'<div style="margin-left: 1.5em">\n{body_of(part["mail"], styles)}</div>'
    if "picture" in part:
        kind, content, name = part["picture"]
        return f'<p><img src="{data_of(kind, content)}" alt="{html.escape(name)}"></p>'
    if "text" in part:
        # An empty line ends a paragraph; single line ends are kept.
        parts = re.split(r"\n\s*\n", html.escape(part["text"]).replace("\r\n", "\n").strip())
        return "\n".join("<p>" + part.replace("\n", "<br>\n") + "</p>" for part in parts)
    content = DROPPED.sub("", part["html"])
    styles.append("\n".join(match.group() for match in STYLE.finditer(content)))

    def picture(match):
        found = mail["pictures"].get(unquote(match.group(1)))
        return data_of(*found) if found else match.group()

    return CONTENT_ID.sub(picture, FRAME.sub("", STYLE.sub("", content)))


def data_of(kind, content):
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"olefile {olefile.__version__}")
        sys.exit()
    *flags, source, target = sys.argv[1:]
    read = read_outlook if olefile.isOleFile(source) else read_message
    with open(target, "w", encoding="utf8", errors="replace") as file:
        file.write(page_of(read(source), "--bare" in flags))
