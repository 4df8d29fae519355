"""Character sets of texts that do not name theirs."""

import codecs


def is_utf8(chunks, complete=True):
    """Whether bytes are UTF-8. Unless they are `complete`, the last character may be cut off."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
        decoder.decode(b"", final=complete)
        return True
    except UnicodeDecodeError:
        return False


def legible(content):
    """Text from bytes: as UTF-8 where they are valid, else as Windows-1252."""
    try:
        return content.decode("utf8")
    except UnicodeDecodeError:
        return content.decode("windows-1252", "replace")
