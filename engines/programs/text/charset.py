"""Character sets of texts that do not declare theirs."""

import codecs


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


def legible(content):
    """Decodes bytes as UTF-8 if they are valid, else as Windows-1252."""
    try:
        return content.decode("utf8")
    except UnicodeDecodeError:
        return content.decode("windows-1252", "replace")
