"""What a PDF says of itself, in its information dictionary and the same in XMP (ISO 19005-2, 6.6)."""

import re
from xml.sax.saxutils import escape

from pikepdf import Dictionary, Name, Stream, String
from walk import part

TEXTS = ("Title", "Author", "Subject", "Keywords", "Creator", "Producer")
DATES = ("CreationDate", "ModDate")

# Characters that XML cannot hold.
UNWRITTEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
DATE = re.compile(
    r"D?:?(\d{4})(?:(0[1-9]|1[0-2])(?:(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])(?:([0-5]\d)(?:([0-5]\d))?)?)?)?)?"
    r"(?:Z|([+-])(\d\d)'?(\d\d)?'?)?"
)
LONGEST = 32_000

PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdfaid:part>{part}</pdfaid:part>
<pdfaid:conformance>B</pdfaid:conformance>
{said}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""

WRITTEN = {
    "Title": '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:title>',
    "Author": "<dc:creator><rdf:Seq><rdf:li>{}</rdf:li></rdf:Seq></dc:creator>",
    "Subject": '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description>',
    "Keywords": "<pdf:Keywords>{}</pdf:Keywords>",
    "Creator": "<xmp:CreatorTool>{}</xmp:CreatorTool>",
    "Producer": "<pdf:Producer>{}</pdf:Producer>",
    "CreationDate": "<xmp:CreateDate>{}</xmp:CreateDate>",
    "ModDate": "<xmp:ModifyDate>{}</xmp:ModifyDate>",
}


def of(pdf):
    """The properties of a PDF by the names of its information dictionary, dates in ISO 8601. None open, none said."""
    if pdf is None:
        return {}
    with pdf:
        info = part(pdf.trailer, "/Info")
        said = {}
        for name in (*TEXTS, *DATES):
            value = info.get(f"/{name}") if info is not None else None
            if isinstance(value, String):
                said[name] = clean(str(value))
        said = {**from_xmp(pdf), **{name: value for name, value in said.items() if value}}
    for name in DATES:
        if name in said:
            said[name] = iso(said[name])
    return {name: value for name, value in said.items() if value}


def from_xmp(pdf):
    """Title, author and description that only XMP has."""
    names = {"Title": "dc:title", "Author": "dc:creator", "Subject": "dc:description", "Keywords": "pdf:Keywords"}
    try:
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
            found = {name: xmp.get(key) for name, key in names.items()}
    except Exception:  # Damaged XML and foreign structures raise many kinds of errors.
        return {}
    listed = {name: joined(value) for name, value in found.items()}
    return {name: clean(value) for name, value in listed.items() if isinstance(value, str)}


def joined(value):
    return ", ".join(str(one) for one in value if one) if isinstance(value, (list, set)) else value


def clean(text):
    return UNWRITTEN.sub("", text).strip()[:LONGEST]


def iso(date):
    """A date of PDF in ISO 8601; empty if it is none."""
    found = DATE.fullmatch(date.strip())
    if not found:
        return ""
    year, month, day, hour, minute, second, sign, hours, minutes = found.groups()
    zone = f"{sign}{hours}:{minutes or '00'}" if sign else "Z"
    return f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}{zone}"


def pdf_date(date):
    digits = re.sub(r"[-:T]", "", date[:19])
    zone = date[19:]
    return f"D:{digits}{'Z' if zone == 'Z' else zone.replace(':', chr(39)) + chr(39)}"


def write(pdf, said, invoice=""):
    """Writes the properties twice, so that both agree; with none, only that the file is PDF/A.

    `invoice` is the XMP of an attached invoice, with which the file is PDF/A-3.
    """
    for key in list(pdf.trailer.keys()):
        if key == "/Info":
            del pdf.trailer[key]
    if said:
        values = {f"/{name}": String(pdf_date(value) if name in DATES else value) for name, value in said.items()}
        pdf.trailer.Info = pdf.make_indirect(Dictionary(values))
    lines = [WRITTEN[name].format(escape(value)) for name, value in said.items()]
    data = PACKET.format(part=3 if invoice else 2, said="\n".join([*lines, invoice])).encode("utf-8")
    pdf.Root.Metadata = pdf.make_indirect(Stream(pdf, data, Type=Name.Metadata, Subtype=Name.XML))
