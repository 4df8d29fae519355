"""What calibre does otherwise in a sandbox. Called in a child, whose calibre ends with it."""

import os
import re

from calibre.customize.builtins import CHMInput, HTMLInput
from calibre.ebooks.chm.reader import CHMReader
from calibre.ebooks.metadata import pdf
from calibre.ebooks.oeb.transforms.metadata import MergeMetadata

UNTITLED = re.compile(r'(Unknown|index|file(\.[a-z0-9]{1,6})?|)$')


def mend(title):
    """Mends the calibre of this process; `title` is for books that have none."""
    entitle(title)
    mend_chm()
    pdf.fork_job = call


def entitle(title):
    """Gives books without a title this one, in place of `Unknown` or the name of a file that only the sandbox knows."""
    merge = MergeMetadata.__call__

    def entitled(self, oeb, mi, *rest, **more):
        titles = oeb.metadata.title
        # An option that gave one wins.
        if mi.is_null('title') and (not titles or UNTITLED.match(str(titles[0]).strip())):
            mi.title = title
        return merge(self, oeb, mi, *rest, **more)

    MergeMetadata.__call__ = entitled


def mend_chm():
    """Tells the reader of pages in a CHM which folder they may not leave; calibre 6.13 forgets to, and stumbles."""
    create = CHMInput._create_oebbook_html

    def created(self, page, folder, opts, *rest):
        HTMLInput.root_dir_of_input = os.path.realpath(folder) + os.sep
        HTMLInput.opts = opts
        return create(self, page, folder, opts, *rest)

    CHMInput._create_oebbook_html = created
    # A help whose first page is not said has one all the same: without a name, calibre looks for it among the files.
    decode = CHMReader.decode_hhp_filename
    CHMReader.decode_hhp_filename = lambda self, path: decode(self, path) or ''


def call(module, name, arguments=(), **_):
    """Calls at once what calibre would start another process for, to be safe from its change of folder."""
    before = os.getcwd()
    try:
        return {'result': getattr(pdf, name)(*arguments), 'stdout_stderr': os.devnull}
    finally:
        os.chdir(before)
