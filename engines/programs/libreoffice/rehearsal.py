"""Converts a small document of its own, so that the next job finds loaded what text documents need."""

import json
import os
import zipfile
from tempfile import TemporaryDirectory

from converter import TEXT, convert

OFFICE = "http://schemas.openxmlformats.org"
WORDS = f"{OFFICE}/wordprocessingml/2006/main"
# The least that a DOCX consists of (ECMA-376, part 1, 11.2).
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r1" Type='
    f'"{OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": f'<w:document xmlns:w="{WORDS}"><w:body><w:p><w:r><w:t>Words.</w:t></w:r></w:p>'
    "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/></w:body></w:document>",
}
SPEC = {"load": {"FilterName": "MS Word 2007 XML"}, "store": {"FilterName": "writer_pdf_Export"}, "service": TEXT}


def rehearse(desktop):
    """Returns the last line of the answer, as `convert` does."""
    with TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "words.docx"), os.path.join(folder, "words.pdf")
        with zipfile.ZipFile(source, "w") as package:
            for name, text in PARTS.items():
                package.writestr(name, text)
        return convert(desktop, source, target, json.dumps(SPEC))
