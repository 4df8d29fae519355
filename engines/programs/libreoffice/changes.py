"""Tracked changes of texts. For targets without them, LibreOffice would write deleted text beside the new text."""

import sys


def drop_deleted(document):
    """Removes the text that tracked changes mark as deleted. Other changes stay."""
    document.RecordChanges = False
    redlines = document.Redlines.createEnumeration()
    deleted = []
    while redlines.hasMoreElements():
        redline = redlines.nextElement()
        if redline.RedlineType == "Delete":
            deleted.append(redline)
    for redline in deleted:
        try:
            cursor = redline.RedlineStart.Text.createTextCursorByRange(redline.RedlineStart)
            cursor.gotoRange(redline.RedlineEnd, True)
            cursor.String = ""
        except Exception as error:  # A deletion across tables has no cursor. The rest is worth more than a failure.
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
