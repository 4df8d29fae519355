"""Makes a PDF conform to PDF/A-2b (ISO 19005-2) without drawing its pages anew, or to PDF/A-3b if it holds an invoice.

`pdfa.py look INPUT` prints what must happen before that, one word a line: `redraw` if the pages need another program,
because fonts are not embedded, for example, and `bare` if comments have no appearance.
`pdfa.py write INPUT OUTPUT SOURCE` writes the file. It describes itself as SOURCE does; without SOURCE, as nobody's.
`pdfa.py features` prints `pdfa` if pikepdf is installed.
"""

import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(folder))

from refusal.refusal import refuse  # noqa: E402


def opened(path):
    """Opens a PDF. None if it is too damaged."""
    import pikepdf

    try:
        return pikepdf.open(path)
    except pikepdf.PasswordError:
        refuse("The PDF asks for a password", "ENCRYPTED_INPUT")
    except (pikepdf.PdfError, RuntimeError, ValueError):
        return None


def sound(path, copy):
    """Opens a copy of a PDF without references to objects that do not exist: these would become new objects."""
    pdf = opened(path)
    if pdf is None:
        return None
    with pdf:
        pdf.save(copy, encryption=False)
    return opened(copy)


def look(path):
    import annotations
    import fonts
    import pages

    pdf = opened(path)
    if pdf is None:
        print("redraw")
        return
    with pdf:
        if annotations.without_appearance(pdf):
            print("bare")
        reason = fonts.unfit(pdf) or pages.unfit(pdf)
        if reason:
            print(f"redraw: {reason}", file=sys.stderr)
            for name in fonts.missing(pdf):
                print("font", name)
            print("redraw")


def write(path, output, source=None):
    import annotations
    import colours
    import document
    import fonts
    import invoices
    import metadata
    import pages

    pdf = sound(path, f"{output}.sound")
    if pdf is None:
        refuse("The PDF cannot be read")
    with pdf:
        if not len(pdf.pages):
            refuse("The PDF has no pages")
        described = metadata.of(opened(source)) if source else {}
        invoice = invoices.of(pdf) or (invoices.of(opened(source)) if source else None)
        annotations.mend(pdf)
        document.mend(pdf, invoice)
        pages.mend(pdf)
        reason = fonts.unfit(pdf)
        if reason:
            print(reason, file=sys.stderr)
            refuse("The PDF has a font that cannot be embedded")
        fonts.mend(pdf)
        colours.mend(pdf)
        metadata.write(pdf, described, invoice.xmp if invoice else "")
        document.save(pdf, output)
    os.unlink(f"{output}.sound")


if __name__ == "__main__":
    mode, *rest = sys.argv[1:]
    if mode == "features":
        try:
            import pikepdf

            print("pdfa", pikepdf.__version__)
        except ImportError:
            pass
    elif mode == "look":
        look(*rest)
    else:
        write(*rest)
