"""A colour profile that tone maps PQ and HLG (ITU-R BT.2100), as films are tone mapped: the next program applies it."""

import struct

# Transfer functions by their numbers (ITU-T H.273, table 3).
PQ, HLG = 16, 18
# Colours of the primaries in XYZ, adapted to D50, by the numbers of the primaries (table 2). Default: BT.709.
P3 = ((0.5151, 0.2412, -0.0011), (0.2920, 0.6922, 0.0419), (0.1571, 0.0666, 0.7841))
BT2020 = ((0.6734, 0.2790, -0.0019), (0.1657, 0.6753, 0.0300), (0.1251, 0.0456, 0.7970))
BT709 = ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141))
PRIMARIES = {9: BT2020, 12: P3}
# Samples of a curve, at most 4,096 in some readers.
STEPS = 4096
# Brightest light that is told apart, as multiples of 100 cd/m².
PEAK = 10


def pq(code):
    """Light of a code from 0 to 1, as a multiple of 100 cd/m² (SMPTE ST 2084)."""
    root = code ** (1 / 78.84375)
    return 100 * (max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)


def hlg(code):
    """The same of HLG on a display of 1,000 cd/m² (ARIB STD-B67)."""
    scene = code**2 / 3 if code <= 0.5 else (2.718281828459045 ** ((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return PEAK * scene**1.2


def hable(light):
    """Compresses light (John Hable, filmic curve)."""
    return (light * (0.15 * light + 0.05) + 0.004) / (light * (0.15 * light + 0.5) + 0.06) - 1 / 15


def tone_map(transfer, primaries):
    """Returns an ICC profile (ICC.1:2022) for samples of a transfer function; nothing if they have no high range."""
    light = {PQ: pq, HLG: hlg}.get(transfer)
    if not light:
        return b''
    levels = [hable(min(light(step / (STEPS - 1)), PEAK)) / hable(PEAK) for step in range(STEPS)]
    curve = struct.pack('>4sII', b'curv', 0, STEPS) + b''.join(struct.pack('>H', round(max(0, level) * 65535)) for level in levels)
    red, green, blue = PRIMARIES.get(primaries, BT709)
    name = b'High dynamic range\0'
    text = struct.pack('>4sII', b'desc', 0, len(name)) + name + bytes(78)
    tags = [
        (b'desc', text),
        (b'cprt', b'text\0\0\0\0none\0'),
        (b'wtpt', xyz(0.9642, 1, 0.8249)),
        (b'rXYZ', xyz(*red)),
        (b'gXYZ', xyz(*green)),
        (b'bXYZ', xyz(*blue)),
        (b'rTRC', curve),
    ]
    return profile(tags)


def xyz(*values):
    """A tag of a colour."""
    return b'XYZ \0\0\0\0' + b''.join(struct.pack('>i', round(value * 65536)) for value in values)


def profile(tags):
    """Builds a display profile of version 2. All channels share the curve."""
    start = 128 + 4 + 12 * (len(tags) + 2)
    entries, data = [], b''
    for name, content in tags:
        entries.append((name, start + len(data), len(content)))
        data += content + bytes(-len(content) % 4)
    entries += [(name, *entries[-1][1:]) for name in (b'gTRC', b'bTRC')]
    table = struct.pack('>I', len(entries)) + b''.join(struct.pack('>4sII', *entry) for entry in entries)
    date = struct.pack('>6H', 2026, 1, 1, 0, 0, 0)
    head = struct.pack('>I4sI4s4s4s12s4s', start + len(data), b'', 0x02400000, b'mntr', b'RGB ', b'XYZ ', date, b'acsp')
    white = b''.join(struct.pack('>i', round(value * 65536)) for value in (0.9642, 1, 0.8249))
    return (head + bytes(28) + white).ljust(128, b'\0') + table + data
