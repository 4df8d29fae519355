"""Reads an Internet message (RFC 5322 and MIME)."""

import re
from email import policy
from email.parser import BytesParser
from urllib.parse import quote, unquote

from refusal.refusal import refuse
from text.charset import legible

LABELS = ("From", "To", "Cc", "Date", "Subject")
# Headers of mails that name no people: drafts, and parts that a program saved alone.
NAMELESS = ("Received", "Message-ID", "MIME-Version", "Content-Type")
ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
TEXTS = ("plain", "html", "enriched", "markdown", "rfc822-headers")
SHOWN = ("png", "jpeg", "jpg", "pjpeg", "gif", "webp", "bmp")  # pictures that browsers show
# In a page, where a picture of the mail belongs (RFC 2392).
CONTENT_ID = re.compile(r"cid:([^\"'\s)>]+)")
SOURCE = re.compile(r"(\ssrc\s*=\s*([\"']))(.*?)(?=\2)", re.I | re.S)
DEEPEST = 40  # levels of parts; deeper ones are left out


def read_message(path):
    """Returns a mail as `mail_of` does."""
    with open(path, "rb") as file:
        message = BytesParser(policy=policy.default).parse(file)
    if not any(message.get(label) for label in (*LABELS, *NAMELESS)):
        refuse("The file is not a mail")
    if message.get_content_type() in ENCRYPTED and message.get_param("smime-type") != "signed-data":
        refuse("The mail is encrypted", "ENCRYPTED_INPUT")
    return mail_of(message, 0)


def mail_of(message, depth):
    """
    Returns `headers`, `parts` in the order of reading, `pictures` by content id, `places`: content ids by the address of
    the picture, and names of `attachments`. A part has `html`, `text`, a `picture` as media type, bytes and name, or
    another `mail`.
    """
    headers = {label: shown(message, label) for label in LABELS}
    mail = {"headers": headers, "parts": [], "pictures": {}, "places": {}, "attachments": []}
    collect(message, mail, depth)
    for part in mail["parts"]:
        if "html" in part:
            part["html"] = SOURCE.sub(lambda match: placed(match, mail["places"]), part["html"])
    named = {unquote(name) for part in mail["parts"] for name in CONTENT_ID.findall(part.get("html", ""))}
    # A picture that a page shows has its place there.
    mail["parts"] = [part for part in mail["parts"] if part.get("id") not in named]
    return mail


def collect(part, mail, depth):
    """Adds a part, and the parts in it, to a mail."""
    kind, name = part.get_content_type(), part.get_filename()
    main, sub = kind.split("/", 1)
    if depth > DEEPEST:
        return
    if part.get_content_disposition() == "attachment" and name and kind != "message/rfc822":
        if main == "image":
            remember(part, mail)
        mail["attachments"].append(name)
    elif kind == "message/rfc822" and part.is_multipart():
        mail["parts"].append({"mail": mail_of(part.get_payload(0), depth + 1)})
    elif kind == "message/delivery-status" and part.is_multipart():
        mail["parts"].append({"text": "\n".join(str(block).strip() + "\n" for block in part.get_payload())})
    elif kind == "multipart/alternative" and part.is_multipart():
        collect_best(part, mail, depth)
    elif part.is_multipart():
        for inner in part.get_payload():
            collect(inner, mail, depth + 1)
    elif main == "image":
        collect_picture(part, mail)
    elif main == "multipart" or main == "text" and sub in TEXTS and not (name and mail["parts"]):
        text = text_of(part)
        if text.strip():
            mail["parts"].append({"html" if sub == "html" else "text": text})
    elif name:
        mail["attachments"].append(name)


def collect_best(part, mail, depth):
    """Adds the last alternative with a page, else the last one with anything to show. Attachments of all are listed."""
    found = []
    for inner in part.get_payload():
        one = {**mail, "parts": []}
        collect(inner, one, depth + 1)
        found.append(one["parts"])
    pages = [parts for parts in found if any("html" in part for part in parts)]
    mail["parts"] += next(reversed(pages or [parts for parts in found if parts]), [])


def collect_picture(part, mail):
    """Adds a picture where it stands, if a browser shows it. A page can show it elsewhere, by its content id."""
    content_id, name = remember(part, mail), part.get_filename()
    content = part.get_payload(decode=True)
    if content and part.get_content_subtype() in SHOWN:
        mail["parts"].append({"picture": (part.get_content_type(), content, name or ""), "id": content_id})
    elif name and not content_id:
        mail["attachments"].append(name)


def remember(part, mail):
    """Stores a picture by its content id. Returns that, or an empty text."""
    place = str(part.get("Content-Location") or "").strip()
    content_id = str(part.get("Content-ID") or "").strip("<> ") or place
    if content_id:
        mail["places"][place] = content_id
        mail["pictures"][content_id] = (part.get_content_type(), part.get_payload(decode=True) or b"")
    return content_id


def placed(match, places):
    """A picture by its content id, where a page has its address in the mail (RFC 2557)."""
    content_id = match[3] and places.get(match[3].strip())
    return f"{match[1]}cid:{quote(content_id)}" if content_id else match[0]


def shown(message, label):
    raw = str(dict(message.raw_items()).get(label, ""))
    # Raw bytes that are not ASCII, in a character set that nothing names.
    if any("\udc80" <= letter <= "\udcff" for letter in raw):
        return legible(raw.encode("utf8", "surrogateescape"))
    try:
        return str(message.get(label) or "")
    except Exception:  # Headers of damaged mails fail in many ways.
        return raw


def text_of(part):
    content = part.get_payload(decode=True) or b""
    try:
        return content.decode(part.get_content_charset() or "utf8")
    except (LookupError, UnicodeDecodeError):  # an unknown character set, or the wrong one
        return legible(content)
