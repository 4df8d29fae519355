"""EXIF of a HEIF file, as PNG stores it."""

import struct

ORIENTATION = 0x0112
ORDERS = {b'II*\0': '<', b'MM\0*': '>'}


def upright(block):
    """Returns the TIFF structure of an Exif block, which says that the picture is upright; nothing if it is damaged."""
    # It starts with the number of bytes before the structure, such as those of `Exif\0\0`. Some writers leave that out.
    told = 4 + int.from_bytes(block[:4], 'big')
    at = next((at for at in (told, 0, 4, 6, 10) if block[at : at + 4] in ORDERS), None)
    if at is None:
        return b''
    tiff = bytearray(block[at:])
    order = ORDERS[bytes(tiff[:4])]
    try:
        (first,) = struct.unpack_from(order + 'I', tiff, 4)
        (count,) = struct.unpack_from(order + 'H', tiff, first)
        for entry in range(first + 2, first + 2 + 12 * count, 12):
            if struct.unpack_from(order + 'H', tiff, entry)[0] == ORIENTATION:
                struct.pack_into(order + 'HI', tiff, entry + 2, 3, 1)
                struct.pack_into(order + 'HH', tiff, entry + 8, 1, 0)
    except struct.error:
        return b''
    return bytes(tiff)
