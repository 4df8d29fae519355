"""Gives a PNG the profile that tone maps its samples: `tone.py [TRANSFER PRIMARIES] INPUT OUTPUT`, by numbers of H.273.

Without numbers, those of the PNG count (cICP).
"""

import struct
import sys
import zlib

from hdr import tone_map
from png import chunk

SIGNATURE = 8
# Other descriptions of colours would count before the profile, or beside it.
COLOURS = (b'iCCP', b'sRGB', b'gAMA', b'cHRM', b'cICP')


def tone(source, target, *numbers):
    with open(source, 'rb') as old, open(target, 'wb') as new:
        new.write(old.read(SIGNATURE))
        while head := old.read(8):
            length, name = struct.unpack('>I4s', head)
            content = old.read(length)
            old.read(4)
            if name not in COLOURS:
                chunk(new, name, content)
            if name == (b'IHDR' if numbers else b'cICP'):
                transfer, primaries = numbers or (content[1], content[0])
                profile = tone_map(int(transfer), int(primaries))
                chunk(new, b'iCCP', b'icc\0\0' + zlib.compress(profile, 1))


tone(*sys.argv[-2:], *sys.argv[1:-2])
