"""Electronic invoices: PDFs with the same invoice as XML (Factur-X, ZUGFeRD, Order-X)."""

import re
from dataclasses import dataclass

from pikepdf import Array, Dictionary, Stream

# What the standards call the file.
NAMES = re.compile(r"(factur-x|zugferd-invoice|xrechnung|order-x|cii|ubl)\.xml", re.I)
# Bytes of an invoice, at most.
LARGEST = 20_000_000
RELATIONS = ("/Alternative", "/Source", "/Data", "/Supplement", "/Unspecified")
URIS = {
    "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#": "fx",
    "urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#": "fx",
    "urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#": "zf",
    "urn:factur-x:pdfa:CrossIndustryDocument:1p0#": "fx",
}
FACTS = {
    "DocumentType": "the type of the document",
    "DocumentFileName": "the name of the embedded XML document",
    "Version": "the version of the standard",
    "ConformanceLevel": "the conformance level of the invoice",
}
DEFAULTS = {"DocumentType": "INVOICE", "Version": "1.0", "ConformanceLevel": "BASIC"}


@dataclass
class Invoice:
    name: str
    data: bytes
    # How the file relates to the pages: a name that PDF/A-3 knows.
    relation: str
    # When it was changed, as PDF writes it; empty if the source does not say.
    date: str
    # Its XMP: what the source says of it, and the schema of that.
    xmp: str


def of(pdf):
    """The invoice that a PDF holds; None if it holds none, or cannot be opened."""
    if pdf is None:
        return None
    names = pdf.Root.get("/Names", Dictionary())
    tree = names.get("/EmbeddedFiles", Dictionary()) if isinstance(names, Dictionary) else Dictionary()
    associated = pdf.Root.get("/AF")
    listed = [*(associated if isinstance(associated, Array) else []), *leaves(tree)]
    for one in listed:
        data = content_of(one)
        if data is not None:
            relation = str(one.get("/AFRelationship", ""))
            params = one.EF.get("/F", one.EF.get("/UF")).get("/Params", Dictionary())
            name, date = name_of(one), params.get("/ModDate", "")
            known = relation if relation in RELATIONS else RELATIONS[0]
            return Invoice(name, data, known, str(date), described(pdf, name))
    return None


def leaves(tree, depth=0):
    """The values of a tree of names."""
    if not isinstance(tree, Dictionary) or depth > 8:
        return
    yield from list(tree.get("/Names", []))[1::2]
    for kid in tree.get("/Kids", []):
        yield from leaves(kid, depth + 1)


def content_of(spec):
    """The XML of a file specification, if it is an invoice."""
    if not isinstance(spec, Dictionary) or not isinstance(spec.get("/EF"), Dictionary):
        return None
    if not NAMES.fullmatch(name_of(spec)):
        return None
    data = spec.EF.get("/F", spec.EF.get("/UF"))
    content = data.read_bytes() if isinstance(data, Stream) else b""
    is_xml = content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    return content if is_xml and len(content) < LARGEST else None


def name_of(spec):
    return str(spec.get("/UF", spec.get("/F", "")))


def described(pdf, name):
    """The XMP of an invoice: what the source says of it, and the schema of that (ISO 19005-3, 6.6.2.3)."""
    uri, said = said_in(pdf)
    facts = {**DEFAULTS, **said, "DocumentFileName": name}
    values = "\n".join(f"<inv:{key}>{facts[key]}</inv:{key}>" for key in FACTS)
    entries = "\n".join(
        '<rdf:li rdf:parseType="Resource"><pdfaProperty:name>%s</pdfaProperty:name><pdfaProperty:valueType>Text'
        "</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>%s"
        "</pdfaProperty:description></rdf:li>" % entry
        for entry in FACTS.items()
    )
    prefix = URIS.get(uri, "fx")
    return SCHEMA.format(uri=uri, prefix=prefix, values=values.replace("inv:", f"{prefix}:"), entries=entries)


def said_in(pdf):
    """The namespace and the facts of the XMP of a source."""
    stream = pdf.Root.get("/Metadata")
    text = stream.read_bytes().decode("utf-8", "replace") if isinstance(stream, Stream) else ""
    uri = next((one for one in URIS if one in text), next(iter(URIS)))
    found = {}
    for key in FACTS:
        value = r"([\w .+-]{1,80})"
        match = re.search(rf"<\w+:{key}>{value}</\w+:{key}>|\s\w+:{key}=[\"']{value}[\"']", text)
        if match:
            found[key] = match[1] or match[2]
    return uri, found


SCHEMA = """</rdf:Description>
<rdf:Description rdf:about="" xmlns:{prefix}="{uri}">
{values}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Electronic invoice</pdfaSchema:schema>
<pdfaSchema:namespaceURI>{uri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>{prefix}</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
{entries}
</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>"""
