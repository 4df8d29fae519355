"""Reads an Internet message (RFC 5322 and MIME)."""

from email import policy
from email.parser import BytesParser

from refusal.refusal import refuse
from text.charset import legible

LABELS = ("From", "To", "Cc", "Date", "Subject")
ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


def read_message(path):
    """Returns `headers`, `html` or `text`, `pictures` and `attachments` of a mail."""
    with open(path, "rb") as file:
        message = BytesParser(policy=policy.default).parse(file)
    if not any(message.get(label) for label in (*LABELS, "Received", "Message-ID")):
        refuse("The file is not a mail")
    if message.get_content_type() in ENCRYPTED and message.get_param("smime-type") != "signed-data":
        refuse("The mail is encrypted", "ENCRYPTED_INPUT")
    body = message.get_body(("html", "plain"))
    kind = "html" if body is not None and body.get_content_subtype() == "html" else "text"
    pictures, attachments = {}, []
    for part in message.walk():
        name = part.get_filename()
        content_id = str(part.get("Content-ID") or "").strip("<> ")
        if part.get_content_maintype() == "image" and content_id:
            pictures[content_id] = (part.get_content_type(), part.get_payload(decode=True) or b"")
        elif name and part is not body:
            attachments.append(name)
    headers = {label: shown(message, label) for label in LABELS}
    return {"headers": headers, kind: text_of(body), "pictures": pictures, "attachments": attachments}


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
    if part is None:
        return ""
    content = part.get_payload(decode=True) or b""
    try:
        return content.decode(part.get_content_charset() or "utf8")
    except (LookupError, UnicodeDecodeError):  # an unknown character set, or the wrong one
        return legible(content)
