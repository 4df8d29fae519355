"""Gives a PNG the profile that tone maps its samples: `tone.py TRANSFER PRIMARIES INPUT OUTPUT`, by numbers of H.273."""

import struct
import sys
import zlib

from hdr import tone_map
from png import chunk

SIGNATURE = 8
# Other descriptions of colours would count before the profile, or beside it.
COLOURS = (b'iCCP', b'sRGB', b'gAMA', b'cHRM', b'cICP')


def tone(transfer, primaries, source, target):
    with open(source, 'rb') as old, open(target, 'wb') as new:
        new.write(old.read(SIGNATURE))
        while head := old.read(8):
            length, name = struct.unpack('>I4s', head)
            content = old.read(length)
            old.read(4)
            if name in COLOURS:
                continue
            chunk(new, name, content)
            if name == b'IHDR':
                profile = tone_map(int(transfer), int(primaries))
                chunk(new, b'iCCP', b'icc\0\0' + zlib.compress(profile, 1))


tone(*sys.argv[1:])
