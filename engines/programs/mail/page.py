"""Makes one HTML page of a mail, as a standard message or as Outlook keeps it: `page.py [--bare] INPUT OUTPUT`."""

import base64
import html
import re
import sys

import olefile
from internet import read_message
from outlook import read_outlook

LABELS = ("From", "To", "Cc", "Date", "Subject")
# Scripts and what fetches others have no place in a page of a mail; the mail's own frame is put around it.
DROPPED = re.compile(r"<(script|iframe|object|embed|applet)\b.*?</\1\s*>|<(script|iframe|object|embed|base|link)\b[^>]*>", re.I | re.S)
FRAME = re.compile(r"</?(html|body)\b[^>]*>|<head\b.*?</head\s*>|<!doctype[^>]*>|<\?xml[^>]*>", re.I | re.S)
# Named pages would put headers, text and attachments on sheets of their own.
ONE_PAGE = "<style>* { page: auto !important }</style>\n"
STYLE = re.compile(r"<style\b.*?</style\s*>", re.I | re.S)


def page_of(mail, bare):
    """HTML of a mail: `headers`, `html` or `text`, `pictures` by content id, names of `attachments`."""
    rows = "".join(
        f"<tr><th>{label}</th><td>{html.escape(mail['headers'][label])}</td></tr>\n"
        for label in LABELS
        if mail["headers"].get(label)
    )
    title, author = (html.escape("" if bare else mail["headers"].get(label) or "") for label in ("Subject", "From"))
    about = f'<meta name="author" content="{author}">\n'
    style, body = content_of(mail)
    names = "".join(f"<li>{html.escape(name)}</li>\n" for name in mail["attachments"])
    attached = f"<hr>\n<p>Attachments:</p>\n<ul>\n{names}</ul>\n" if names else ""
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title>\n'
        f'{"" if bare else about}{style}</head><body>\n'
        f"<table>\n{rows}</table>\n<hr>\n{body}\n{attached}</body></html>\n"
    )


def content_of(mail):
    """Style sheets and body."""
    if not mail.get("html"):
        # Two line ends part paragraphs; single ones stay where they are.
        parts = re.split(r"\n\s*\n", html.escape(mail.get("text") or "").replace("\r\n", "\n").strip())
        return "", "\n".join("<p>" + part.replace("\n", "<br>\n") + "</p>" for part in parts)
    page = DROPPED.sub("", mail["html"])
    style = "\n".join(match.group() for match in STYLE.finditer(page))

    def picture(match):
        found = mail["pictures"].get(match.group(1))
        return f"data:{found[0]};base64,{base64.b64encode(found[1]).decode()}" if found else match.group()

    return style + ONE_PAGE, re.sub(r"cid:([^\"'\s)>]+)", picture, FRAME.sub("", STYLE.sub("", page)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"olefile {olefile.__version__}")
        sys.exit()
    *flags, source, target = sys.argv[1:]
    read = read_outlook if olefile.isOleFile(source) else read_message
    with open(target, "w", encoding="utf8", errors="replace") as file:
        file.write(page_of(read(source), "--bare" in flags))
