"""Reads a mail that Outlook saved (MS-OXMSG): properties are streams of a compound file. Damaged ones are left out."""

import io
import os
import struct
from datetime import datetime, timedelta, timezone

import olefile
from packed_rtf import html_of, text_of, unpacked
from refusal.refusal import refuse
from text.charset import ansi_of, codec_of, legible

SUBJECT, SENDER, ADDRESS, SMTP, TO, CC, HEADERS = 0x0037, 0x0C1A, 0x0C1F, 0x5D01, 0x0E04, 0x0E03, 0x007D
CLASS, BODY, RTF, HTML = 0x001A, 0x1000, 0x1009, 0x1013
NAME, LONG_NAME, DATA, CONTENT_ID, MIME = 0x3704, 0x3707, 0x3701, 0x3712, 0x370E
SUBMITTED, DELIVERED, CODE_PAGE, LANGUAGE, HTML_CODE_PAGE = 0x0039, 0x0E06, 0x3FFD, 0x3FF1, 0x3FDE

SECTOR = 512  # bytes
REST = 1 << 20  # bytes of zeros in place of an end that is missing: texts are read up to it


def read_outlook(path):
    """Returns a mail, as `internet.py` does."""
    with opened(path) as file:
        fixed = fixed_properties(file)
        charset = charset_of(fixed.get(CODE_PAGE)) or ansi_of(fixed.get(LANGUAGE, 0) & 0xFFFFFFFF)
        prop = lambda tag, folder="": text_property(file, folder, tag, charset)  # noqa: E731
        if prop(CLASS).lower() == "ipm.note.smime":
            refuse("The mail is encrypted", "ENCRYPTED_INPUT")
        address = prop(SMTP) or prop(ADDRESS)
        sender = prop(SENDER)
        headers = {
            "From": f"{sender} <{address}>" if sender and "@" in address and address != sender else sender or address,
            "To": prop(TO),
            "Cc": prop(CC),
            "Date": date_of(fixed.get(SUBMITTED) or fixed.get(DELIVERED)),
            "Subject": prop(SUBJECT),
        }
        mail = {"headers": headers, "pictures": {}, "attachments": []}
        for folder in sorted({path[0] for path in file.listdir() if path[0].startswith("__attach_version1.0_")}):
            name = prop(LONG_NAME, f"{folder}/") or prop(NAME, f"{folder}/")
            content_id, mime = prop(CONTENT_ID, f"{folder}/"), prop(MIME, f"{folder}/")
            if content_id and mime.startswith("image/"):
                mail["pictures"][content_id] = (mime, binary(file, f"{folder}/", DATA) or b"")
            elif name:
                mail["attachments"].append(name)
        body = body_of(file, prop, charset_of(fixed.get(HTML_CODE_PAGE)), charset)
        if not (prop(CLASS) or mail["attachments"] or any(headers.values()) or any(body.values())):
            refuse("The mail is damaged: neither its headers nor its text can be read")
        return {**mail, "parts": [body]}


def opened(path):
    """The compound file, also if its end is missing."""
    missing = -os.path.getsize(path) % SECTOR
    try:
        return olefile.OleFileIO(padded(path, missing) if missing else path, raise_defects=olefile.DEFECT_FATAL + 1)
    except Exception:  # The library fails in many ways.
        refuse("The mail is damaged: the list of its parts cannot be read")


def padded(path, missing):
    with open(path, "rb") as file:
        return io.BytesIO(file.read() + bytes(missing + REST))


def body_of(file, prop, html_charset, charset):
    page = binary(file, "", HTML)
    if page:
        return {"html": decoded(page, html_charset)}
    if prop(HTML):
        return {"html": prop(HTML)}
    packed = binary(file, "", RTF)
    rtf = unpacked(packed) if packed else b""
    if b"\\fromhtml1" in rtf:
        return {"html": html_of(rtf, charset)}
    return {"text": prop(BODY) or text_of(rtf, charset)}


def stream(file, name):
    try:
        return file.openstream(name).read() if file.exists(name) else None
    except Exception:
        return None


def binary(file, folder, tag):
    return stream(file, f"{folder}__substg1.0_{tag:04X}0102")


def text_property(file, folder, tag, charset):
    wide = stream(file, f"{folder}__substg1.0_{tag:04X}001F")
    if wide is not None:
        return wide.decode("utf-16-le", "replace").rstrip("\0")
    return decoded(stream(file, f"{folder}__substg1.0_{tag:04X}001E") or b"", charset).rstrip("\0")


def fixed_properties(file):
    """Properties of 8 bytes by tag, after a header of 32 bytes (MS-OXMSG §2.4)."""
    content = stream(file, "__properties_version1.0") or b""
    entries = (content[at : at + 16] for at in range(32, len(content) - 15, 16))
    return {struct.unpack_from("<H", entry, 2)[0]: struct.unpack_from("<Q", entry, 8)[0] for entry in entries}


def charset_of(page):
    return codec_of(page & 0xFFFFFFFF) if page else None


def decoded(content, charset):
    """Decodes bytes. Writers call pages of other sets Western, so bytes that are valid in UTF-8 are that."""
    if charset is None:
        return legible(content)
    try:
        return content.decode("utf8")
    except UnicodeDecodeError:
        return content.decode(charset, "replace")


def date_of(ticks):
    """Formats a time given in units of 100 nanoseconds since 1601."""
    if not ticks:
        return ""
    moment = datetime(1601, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=min(ticks, 1 << 58) // 10)
    return moment.strftime("%a, %d %b %Y %H:%M:%S +0000")
