"""Character sets of texts that do not declare theirs."""

import codecs
import locale
import re

from text.likelihood import likeliest

FOREIGN = re.compile(rb"[\x80-\xff]+")
SAMPLE, LINE = 8192, 1024  # bytes that a guess considers, and of one line among those
# Windows code pages by language, where they are not the Western one.
CODE_PAGES = {
    **dict.fromkeys("ru uk be bg mk sr kk ky tt mn".split(), "windows-1251"),
    **dict.fromkeys("cs hu pl ro hr sk sq sl bs".split(), "windows-1250"),
    **{"el": "windows-1253", "tr": "windows-1254", "az": "windows-1254", "he": "windows-1255", "ar": "windows-1256"},
    **{"fa": "windows-1256", "lt": "windows-1257", "lv": "windows-1257", "et": "windows-1257", "vi": "windows-1258"},
    **{"th": "cp874", "ja": "cp932", "ko": "cp949", "zh_CN": "gb18030", "zh_SG": "gb18030", "zh_TW": "cp950", "zh_HK": "cp950"},
}


def is_utf8(chunks, complete=True):
    """Whether chunks are valid UTF-8. If they are not `complete`, the last character may be cut off."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
        decoder.decode(b"", final=complete)
        return True
    except UnicodeDecodeError:
        return False


def legible(content, kind="text"):
    """Decodes bytes as UTF-8 if they are valid, else in the character set that is the most likely for a `text` or `name`."""
    try:
        return content.decode("utf8")
    except UnicodeDecodeError:
        return content.decode(likely(content, kind), "replace")


def likely(content, kind="text"):
    """The codec that is the most likely one of bytes that are not UTF-8."""
    return likeliest(foreign_lines(content), kind)


def foreign_lines(content):
    """The first lines with bytes that are not ASCII, at least in part."""
    lines, size, at = [], 0, 0
    for found in FOREIGN.finditer(content):
        if size >= SAMPLE:
            break
        if found.start() < at:
            continue
        start = max(content.rfind(b"\n", 0, found.start()) + 1, at, found.start() - LINE)
        end = content.find(b"\n", found.start()) + 1 or len(content)
        at = min(end, found.start() + LINE)
        lines.append(content[start:at])
        size += at - start
    return b"".join(lines)


def codec_of(page):
    """The codec of a Windows code page by its number, or None if there is none."""
    name = {65001: "utf8", 20127: "ascii", 10000: "mac_roman", 10007: "mac_cyrillic", 20866: "koi8_r", 21866: "koi8_u"}.get(page)
    if 28591 <= page <= 28606:
        name = f"iso8859_{page - 28590}"
    try:
        return codecs.lookup(name or f"cp{page}").name
    except LookupError:
        return None


def ansi_of(language):
    """The codec of texts of Windows programs by the identifier of a language. English ones may be in any: None."""
    name = locale.windows_locale.get(language, "en")
    family = name.partition("_")[0]
    return CODE_PAGES.get(name) or CODE_PAGES.get(family) or (None if family == "en" else "windows-1252")


def page_of(content):
    """The Windows code page that is the most likely one of bytes. None for ASCII, for Western text and for other sets."""
    if content.isascii():
        return None
    codec = "utf8" if is_utf8([content], False) else likely(content)
    page = {"utf8": 65001, "gb18030": 936, "big5hkscs": 950}.get(codec, codec.removeprefix("cp"))
    return int(page) if codec != "cp1252" and str(page).isdigit() else None
