"""Patches for calibre. They apply to the child of one conversion only."""

import os
import re

from calibre.customize.builtins import CHMInput, HTMLInput
from calibre.ebooks.chm.reader import CHMReader
from calibre.ebooks.metadata import pdf
from calibre.ebooks.oeb.transforms.metadata import MergeMetadata

UNTITLED = re.compile(r'(Unknown|index|file(\.[a-z0-9]{1,6})?|)$')


def mend(title):
    """Patches calibre in this process. `title` is for books without a title."""
    entitle(title)
    mend_chm()
    pdf.fork_job = call


def entitle(title):
    """Sets the title of books without one, instead of `Unknown` or a file name that exists only in the sandbox."""
    merge = MergeMetadata.__call__

    def entitled(self, oeb, mi, *rest, **more):
        titles = oeb.metadata.title
        # A title from an option takes precedence.
        if mi.is_null('title') and (not titles or UNTITLED.match(str(titles[0]).strip())):
            mi.title = title
        return merge(self, oeb, mi, *rest, **more)

    MergeMetadata.__call__ = entitled


def mend_chm():
    """Sets the folder that the pages of a CHM may not leave. calibre 6.13 forgets to, and fails."""
    create = CHMInput._create_oebbook_html

    def created(self, page, folder, opts, *rest):
        HTMLInput.root_dir_of_input = os.path.realpath(folder) + os.sep
        HTMLInput.opts = opts
        return create(self, page, folder, opts, *rest)

    CHMInput._create_oebbook_html = created
    # If a CHM does not name its first page, an empty name makes calibre look for it among the files.
    decode = CHMReader.decode_hhp_filename
    CHMReader.decode_hhp_filename = lambda self, path: decode(self, path) or ''


def call(module, name, arguments=(), **_):
    """Calls a function directly that calibre would run in another process to protect itself from its chdir."""
    before = os.getcwd()
    try:
        return {'result': getattr(pdf, name)(*arguments), 'stdout_stderr': os.devnull}
    finally:
        os.chdir(before)
