"""Decompresses Outlook's RTF (MS-OXRTFCP), and extracts the HTML or the text in it (MS-OXRTFEX)."""

import re
import struct

from text.charset import codec_of, legible

# Initial content of the dictionary (MS-OXRTFCP §2.1.2.1).
BEGINNING = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans "
    b"SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab"
    b"\\tx"
)
MOST = 64 << 20
TOKEN = re.compile(rb"\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.S)
FONT = re.compile(rb"\\f(\d+)(?:(?!\\f\d)[^{};]){0,200}?\\fcharset(\d+)")
# Code pages by the number of a character set (MS-WMF §2.1.1.5). The Western one, 0, is also said of others.
CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
SKIPPED = (b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"generator", b"object")


def unpacked(content):
    """Returns the RTF of a stream, decompressed if necessary."""
    if content[8:12] == b"MELA":
        return content[16:]
    size = min(struct.unpack_from("<I", content, 4)[0], MOST)
    window = bytearray(BEGINNING) + bytearray(4096 - len(BEGINNING))
    out, write, at = bytearray(), len(BEGINNING), 16
    while at < len(content) and len(out) < size:
        control, at = content[at], at + 1
        for bit in range(8):
            if at >= len(content):
                break
            if control >> bit & 1:
                word, at = int.from_bytes(content[at : at + 2], "big"), at + 2
                offset, length = word >> 4, (word & 15) + 2
                if offset == write:
                    return bytes(out)
                literals = None
            else:
                literals, length, at = content[at], 1, at + 1
            for index in range(length):
                byte = window[(offset + index) % 4096] if literals is None else literals
                out.append(byte)
                window[write] = byte
                write = (write + 1) % 4096
    return bytes(out)


def html_of(rtf, charset):
    """The HTML inside RTF: the `htmltag` groups, and text that `htmlrtf` does not hide. `charset` is None if unknown."""
    return walked(rtf, charset, True)


def text_of(rtf, charset):
    """The visible text of RTF."""
    return walked(rtf, charset, False)


def fonts_of(rtf):
    """The codec of each font whose character set says more than the page of the whole text."""
    start = rtf.find(b"{\\fonttbl")
    table = rtf[start : start + 100_000] if start >= 0 else b""
    return {number: CHARSETS[int(said)] for number, said in FONT.findall(table) if int(said) in CHARSETS}


def shown(content, charset):
    if charset:
        try:
            return content.decode(charset)
        except UnicodeDecodeError:
            pass
    return legible(content)


def walked(rtf, charset, tags):
    out, pending = [], bytearray()
    hidden, skipped, stack = False, False, []
    unicode_skip = 0
    page = re.search(rb"\\ansicpg(\d+)", rtf[:4096])
    # The page of the text, and that of each font, which counts outside of HTML tags (MS-OXRTFEX §2.1.3.1).
    whole = codec_of(int(page[1])) if page and page[1] != b"0" else charset
    fonts, font, tag = fonts_of(rtf), None, False

    def flush():
        out.append(shown(bytes(pending), whole if tag else fonts.get(font) or whole))
        pending.clear()

    for match in TOKEN.finditer(rtf):
        word, number, code, symbol, brace, text = match.groups()
        if brace == b"{":
            stack.append((hidden, skipped, font, tag))
        elif brace == b"}":
            before = font, tag
            state = stack.pop() if stack else (False, False, None, False)
            if state[2:] != before:
                flush()
            hidden, skipped, font, tag = state
        elif symbol == b"*":
            # An optional destination: skip it unless it holds HTML tags.
            skipped = not (tags and rtf.startswith(b"\\htmltag", match.end()))
            flush()
            tag = not skipped
        elif word == b"htmlrtf":
            hidden = number != b"0"
        elif word in SKIPPED:
            skipped = True
        elif word in (b"f", b"plain"):
            flush()
            font = number if word == b"f" else None
        elif hidden or skipped:
            continue
        elif word == b"u" and number:
            flush()
            out.append(chr(int(number) % 65536))
            unicode_skip = 1
        elif word in (b"par", b"line"):
            pending += b"\n"
        elif word == b"tab":
            pending += b"\t"
        elif code:
            if not unicode_skip:
                pending.append(int(code, 16))
            unicode_skip = 0
        elif symbol in (b"{", b"}", b"\\"):
            pending += symbol
        elif symbol == b"~":
            pending += b"&nbsp;" if tags else b" "
        elif text:
            pending += text[unicode_skip:]
            unicode_skip = 0
    flush()
    # Joins surrogates, which come one by one.
    return "".join(out).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
