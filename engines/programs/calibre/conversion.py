"""One conversion, in the child that the worker forks for it."""

import importlib
import os
import re
import resource
import traceback

from calibre.ebooks import DRMError
from calibre.ebooks.conversion import cli
from calibre.utils.fonts.scanner import font_scanner

from hints import hints
from locks import is_locked
from mending import mend

# Exit codes besides 0 and 1.
LOCKED, MEMORY = 20, 21

GIB = 1024**3

MODULES = [
    *[f'calibre.ebooks.conversion.plugins.{name}' for name in (
        'comic_input', 'docx_input', 'epub_input', 'fb2_input', 'html_input', 'htmlz_input', 'lit_input',
        'lrf_input', 'mobi_input', 'odt_input', 'pdb_input', 'pdf_input', 'pml_input', 'rb_input', 'rtf_input',
        'txt_input', 'docx_output', 'epub_output', 'fb2_output', 'html_output', 'htmlz_output', 'lit_output',
        'lrf_output', 'mobi_output', 'pdb_output', 'pml_output', 'rb_output', 'rtf_output', 'txt_output',
    )],
    *[f'calibre.ebooks.oeb.transforms.{name}' for name in (
        'cover', 'data_url', 'flatcss', 'guide', 'htmltoc', 'jacket', 'manglecase', 'page_margin', 'rasterize', 'split',
        'structure', 'subset', 'trimmanifest', 'unsmarten',
    )],
    *[f'calibre.ebooks.{name}' for name in (
        'chardet', 'docx.to_html', 'docx.writer.container', 'fb2.fb2ml', 'html.input', 'metadata.meta',
        'mobi.reader.mobi6', 'mobi.reader.mobi8', 'mobi.writer2.main', 'mobi.writer8.main', 'oeb.polish.container',
        'oeb.reader', 'oeb.stylizer', 'oeb.writer', 'txt.processor',
    )],
    'css_parser', 'html5_parser', 'lxml.html', 'markdown',
]  # fmt: skip


def preload():
    """Loads the modules that most conversions need."""
    for name in MODULES:
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # Another version of calibre: the conversion loads what it needs.
    # calibre looks for fonts in a thread, which a child would not have.
    font_scanner.join()


def convert(folder, source, target, title, *options):
    """Converts a book, with `folder` for intermediate files. Returns an exit code. calibre's output is printed."""
    os.environ['CALIBRE_TEMP_DIR'] = folder
    os.chdir(folder)
    # For PDF, calibre runs a browser, which reserves far more address space than it uses.
    if not target.endswith('.pdf'):
        resource.setrlimit(resource.RLIMIT_AS, (4 * GIB, 4 * GIB))
    try:
        if is_locked(source):
            return LOCKED
        mend(title)
        return cli.main(['ebook-convert', source, target, *hints(folder, source), *options]) or 0
    except DRMError:
        return LOCKED
    except MemoryError:
        return MEMORY
    except SystemExit as end:
        return 0 if end.code is None else 1
    except BaseException as error:
        traceback.print_exc()
        return LOCKED if re.search('Incorrect password|Unable to decrypt', str(error)) else 1
