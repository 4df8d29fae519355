"""Writes PNG without compression: the next program reads it once, and compression would take most of the time."""

import struct
import zlib

# Bytes of pixels in one chunk.
BAND = 1 << 20


def write_png(file, picture):
    """Writes a picture with its profile and metadata. `picture.rows()` returns the rows from the top."""
    kind = 6 if picture.alpha else 2
    header = struct.pack('>IIBBBBB', picture.width, picture.height, 16 if picture.bits > 8 else 8, kind, 0, 0, 0)
    file.write(b'\x89PNG\r\n\x1a\n')
    chunk(file, b'IHDR', header)
    if picture.profile:
        chunk(file, b'iCCP', b'icc\0\0' + zlib.compress(picture.profile, 1))
    if picture.exif:
        chunk(file, b'eXIf', picture.exif)
    if picture.xmp:
        chunk(file, b'iTXt', b'XML:com.adobe.xmp\0\0\0\0\0' + picture.xmp)
    stream, band, size = zlib.compressobj(0), [], 0
    for row in picture.rows():
        # Each row starts with the number of its filter.
        band += [b'\0', row]
        size += len(row)
        if size >= BAND:
            chunk(file, b'IDAT', stream.compress(b''.join(band)))
            band, size = [], 0
    chunk(file, b'IDAT', stream.compress(b''.join(band)) + stream.flush())
    chunk(file, b'IEND', b'')


def chunk(file, name, content):
    """Writes one chunk of a PNG."""
    file.write(struct.pack('>I', len(content)) + name)
    file.write(content)
    file.write(struct.pack('>I', zlib.crc32(content, zlib.crc32(name))))
