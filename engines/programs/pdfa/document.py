"""The document around its pages: catalogue, layers, attachments (ISO 19005-2, 6.1, 6.8 to 6.11)."""

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String
from walk import dictionaries, drop, named, part


def mend(pdf, invoice=None):
    """Removes what PDF/A-2 forbids. `invoice` is a file that stays attached, as PDF/A-3 allows."""
    root = pdf.Root
    drop(root, "/AA", "/Collection", "/Requirements", "/Legal", "/SpiderInfo", "/PieceInfo", "/AF", "/Extensions")
    names = part(root, "/Names")
    if names is not None:
        drop(names, "/JavaScript", "/EmbeddedFiles", "/AlternatePresentations", "/Renditions")
    for found in dictionaries(pdf):
        if lists_files(found.get("/AF")):
            drop(found, "/AF")
        if named(found.get("/Type")) in ("/Filespec", "/F") or holds_files(found.get("/EF")):
            drop(found, "/EF", "/RF")
        if found.get("/Type") != Name.Catalog:
            drop(found, "/Metadata", "/PieceInfo")
    mend_layers(pdf)
    if invoice:
        attach(pdf, invoice)


def attach(pdf, invoice):
    """Attaches the file of an invoice to the document (ISO 19005-3, 6.8)."""
    params = Dictionary(Size=len(invoice.data), **({"ModDate": String(invoice.date)} if invoice.date else {}))
    stream = Stream(pdf, invoice.data, Type=Name.EmbeddedFile, Subtype=Name("/text/xml"), Params=params)
    embedded, name = pdf.make_indirect(stream), String(invoice.name)
    files = Dictionary(F=embedded, UF=embedded)
    spec = Dictionary(Type=Name.Filespec, F=name, UF=name, AFRelationship=Name(invoice.relation), EF=files)
    spec = pdf.make_indirect(spec)
    pdf.Root.AF = Array([spec])
    if part(pdf.Root, "/Names") is None:
        pdf.Root.Names = Dictionary()
    pdf.Root.Names.EmbeddedFiles = Dictionary(Names=Array([name, spec]))


def lists_files(value):
    """Whether this is a list of associated files: a font or a colour space can also have the name `AF`."""
    listed = list(value) if isinstance(value, Array) else [value]
    return all(isinstance(one, Dictionary) and ("/F" in one or "/UF" in one or "/EF" in one) for one in listed)


def holds_files(value):
    """Whether this holds attached files: a font can also have the name `EF`. An empty one counts."""
    return isinstance(value, Dictionary) and all(key in ("/F", "/UF", "/DOS", "/Mac", "/Unix") for key in value.keys())


def mend_layers(pdf):
    properties = part(pdf.Root, "/OCProperties")
    if properties is None:
        return
    listed = part(properties, "/OCGs", Array)
    groups = [one for one in listed if isinstance(one, Dictionary)] if listed is not None else []
    if not groups or part(properties, "/D") is None:
        del pdf.Root["/OCProperties"]
        return
    others = part(properties, "/Configs", Array)
    for number, one in enumerate([properties.D, *(others if others is not None else [])]):
        if not isinstance(one, Dictionary):
            continue
        one.Name = String(f"Layers {number}" if number else "Layers")
        drop(one, "/AS")
        order = part(one, "/Order", Array)
        if order is not None:
            known = ordered(order, set())
            order.extend([group for group in groups if group.objgen not in known])


def ordered(order, known, depth=0):
    """The layers in a list of lists."""
    for one in order if depth < 20 else []:
        if isinstance(one, Array):
            ordered(one, known, depth + 1)
        elif isinstance(one, Dictionary):
            known.add(one.objgen)
    return known


def save(pdf, path):
    """Saves without encryption, with streams that PDF/A allows."""
    pdf.save(
        path,
        force_version="1.7",
        encryption=False,
        compress_streams=True,
        stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        fix_metadata_version=False,
    )
