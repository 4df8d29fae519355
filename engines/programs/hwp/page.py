"""Makes one HTML page from a Hangul document (Hangul Document File Format 5.0, or HWPX): `page.py INPUT OUTPUT`."""

import html
import os
import sys
import zipfile

import olefile
from lxml import etree
from open_package import Package
from records import paragraphs_of, section

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from refusal.refusal import refuse  # noqa: E402
from text.charset import legible  # noqa: E402
from text.page import page  # noqa: E402

PASSWORD, DISTRIBUTED, COMPRESSED = 2, 4, 1


def page_of(file):
    header = file.openstream("FileHeader").read()
    if not header.startswith(b"HWP Document File"):
        refuse("The file is not a Hangul document of version 5")
    flags = int.from_bytes(header[36:40], "little")
    if flags & (PASSWORD | DISTRIBUTED):
        refuse("The document asks for a password", "ENCRYPTED_INPUT")
    names = [path for path in file.listdir() if path[0] == "BodyText" and path[1].startswith("Section")]
    blocks = []
    for path in sorted(names, key=lambda path: int(path[1][7:] or 0)):
        blocks += blocks_of(paragraphs_of(section(file.openstream(path).read(), flags & COMPRESSED)))
    facts = file.get_metadata()
    return page("\n".join(blocks), decoded(facts.title), decoded(facts.author))


def page_of_package(path):
    try:
        package = Package(path)
        return page("\n".join(blocks_of(package.paragraphs())), package.fact("title"), package.fact("creator"))
    except (zipfile.BadZipFile, etree.XMLSyntaxError, ValueError):
        refuse("The document is damaged")


def decoded(value):
    return legible(value) if isinstance(value, bytes) else str(value or "")


def blocks_of(paragraphs):
    """Paragraphs and tables as HTML. Each cell has the number of its row."""
    blocks, table = [], {}

    def close():
        if table:
            rows = ["".join(f"<td>{'<br>'.join(cell)}</td>" for _, cell in sorted(row.items())) for _, row in sorted(table.items())]
            blocks.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
            table.clear()

    last = None
    for text, place in paragraphs:
        said = html.escape(text).replace("\n", "<br>")
        # A table ends where the next one begins or the text continues.
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
    if zipfile.is_zipfile(sys.argv[1]):
        document = page_of_package(sys.argv[1])
    else:
        with olefile.OleFileIO(sys.argv[1]) as file:
            document = page_of(file)
    with open(sys.argv[2], "w", encoding="utf8", errors="replace") as file:
        file.write(document)
