"""Makes one HTML page of a Hangul document (Hangul Document File Format 5.0): `page.py INPUT OUTPUT`."""

import html
import sys

import olefile
from records import paragraphs_of, section

PASSWORD, DISTRIBUTED, COMPRESSED = 2, 4, 1


def page_of(file):
    header = file.openstream("FileHeader").read()
    if not header.startswith(b"HWP Document File"):
        sys.exit("no Hangul document")
    flags = int.from_bytes(header[36:40], "little")
    if flags & (PASSWORD | DISTRIBUTED):
        sys.exit("locked")
    names = [path for path in file.listdir() if path[0] == "BodyText" and path[1].startswith("Section")]
    blocks = []
    for path in sorted(names, key=lambda path: int(path[1][7:] or 0)):
        blocks += blocks_of(paragraphs_of(section(file.openstream(path).read(), flags & COMPRESSED)))
    facts = file.get_metadata()
    title, author = (decoded(value) for value in (facts.title, facts.author))
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f'<meta name="author" content="{html.escape(author, quote=True)}"></head><body>\n'
        + "\n".join(blocks)
        + "\n</body></html>\n"
    )


def decoded(value):
    return value.decode("utf8", "replace") if isinstance(value, bytes) else str(value or "")


def blocks_of(paragraphs):
    """Paragraphs as they are, and cells of tables as rows where they say which row they are in."""
    blocks, table = [], {}

    def close():
        if table:
            rows = ["".join(f"<td>{'<br>'.join(cell)}</td>" for _, cell in sorted(row.items())) for _, row in sorted(table.items())]
            blocks.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
            table.clear()

    last = None
    for text, place in paragraphs:
        said = html.escape(text).replace("\n", "<br>")
        # A table ends where another begins or the text goes on.
        if place is None or (last is not None and place[0] != last[0]):
            close()
        if place is None:
            if said.strip():
                blocks.append(f"<p>{said}</p>")
        else:
            table.setdefault(place[1], {}).setdefault(place[2], []).append(said)
        last = place
    close()
    return blocks


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"olefile {olefile.__version__}")
        sys.exit()
    with olefile.OleFileIO(sys.argv[1]) as file:
        page = page_of(file)
    with open(sys.argv[2], "w", encoding="utf8", errors="replace") as file:
        file.write(page)
