"""Makes an EPUB smaller without loss: `pack.py INPUT OUTPUT`.

`--clean` rewrites a book that readers may not understand instead, see `clean.py`. `--flat` is for readers without SVG.
`--leaves` unpacks a clean book with a fixed layout into pages, see `leaves.py`, and prints how many there are.

Members are compressed with deflate at its best, JPEG and PNG by lossless optimisers. They keep their names and order.
Encrypted members are copied unchanged.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from clean import write  # noqa: E402
from leaves import split  # noqa: E402
from locks import MOST, admitted, read  # noqa: E402
from members import listed, scanned  # noqa: E402

# Bytes of the largest picture that is optimised.
PICTURE = 50_000_000


def smaller(name, content, folder):
    """A picture optimised without loss, or as it was when that is not smaller."""
    kind = re.search(r'\.(jpe?g|png)$', name.lower())
    if not kind or len(content) > PICTURE:
        return content
    before, after = folder / 'before', folder / 'after'
    before.write_bytes(content)
    after.unlink(missing_ok=True)
    if kind[1] == 'png':
        command = ['optipng', '-quiet', '-o2', '-out', str(after), str(before)]
    else:
        command = ['jpegtran', '-copy', 'all', '-optimize', '-outfile', str(after), str(before)]
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        made = after.read_bytes()
    except (OSError, subprocess.CalledProcessError):
        return content  # The optimiser is not installed, or refuses this picture.
    return made if 0 < len(made) < len(content) else content


def pack(source, target, folder):
    """Packs the book at `source` into `target`."""
    with zipfile.ZipFile(source) as book, zipfile.ZipFile(target, 'w') as packed:
        members, untouched = admitted(book)
        # Readers recognise an EPUB by its first member.
        members.sort(key=lambda member: member.filename != 'mimetype')
        for member in members:
            name = member.filename
            content = read(book, member)
            if name not in untouched:
                content = smaller(name, content, folder)
            entry = zipfile.ZipInfo(name, date_time=member.date_time)
            entry.external_attr = 0o644 << 16
            shrinks = name != 'mimetype' and len(zlib.compress(content, 9)) - 6 < len(content)
            entry.compress_type = zipfile.ZIP_DEFLATED if shrinks else zipfile.ZIP_STORED
            packed.writestr(entry, content, compresslevel=9)


def main(source, target):
    """Packs a book. The output is the book itself when packing does not make it smaller."""
    with tempfile.TemporaryDirectory(dir='.') as folder:
        pack(source, target, Path(folder))
    if Path(target).stat().st_size >= Path(source).stat().st_size:
        Path(target).write_bytes(Path(source).read_bytes())


def clean(source, target, flat):
    """Rewrites a book. One that cannot be rewritten is copied: its reader will report why."""
    try:
        with zipfile.ZipFile(source) as book:
            members, _ = admitted(book)
            done = write(listed(book, members), target, flat)
    except zipfile.BadZipFile:
        done = write(scanned(source, MOST), target, flat)
    if not done:
        shutil.copyfile(source, target)


if __name__ == '__main__':
    *flags, given, made = sys.argv[1:]
    if '--leaves' in flags:
        print('leaves', split(given, made))
    elif '--clean' in flags:
        clean(given, made, '--flat' in flags)
    else:
        main(given, made)
