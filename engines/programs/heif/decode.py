"""Decodes the pictures of a HEIF file into PNG: `decode.py INPUT OUTPUT PIXELS`, or `decode.py features`.

Several pictures become `name-1.png`, `name-2.png`, and so on. heif-convert does the same, but compresses each PNG, which
takes several times as long as to decode the picture.
"""

import ctypes
import os
import struct
import sys

from library import HEVC, load, succeed
from picture import Picture
from png import write_png

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from refusal.refusal import refuse  # noqa: E402

# Pictures of one file at most: as many as the next program takes.
MOST = 1000
# The brand of AVIF that moves (AV1 Image File Format, 6.3). libheif would decode one frame.
SEQUENCE = b'ftypavis'
# The type of items in bare samples, which older libraries do not know, and how many bytes begin a file.
PLAIN, HEAD = b'unci', 1 << 16


def features():
    """Prints the version of libheif, and whether it decodes HEVC."""
    try:
        library = load()
    except (OSError, AttributeError):
        raise SystemExit(127)
    print('libheif', library.heif_get_version().decode(), 'hevc' if library.heif_have_decoder_for_format(HEVC) else '')


def decode(source, target, largest):
    """Writes each picture as soon as it is decoded. A picture may have `largest` pixels."""
    with open(source, 'rb') as file:
        head = file.read(HEAD)
        if head[4:12] == SEQUENCE:
            raise SystemExit('Another reader decodes all frames')
    library = load()
    context = library.heif_context_alloc()
    outcome = library.heif_context_read_from_file(context, os.fsencode(source), None)
    if outcome.code and PLAIN in head:
        refuse('The HEIF picture has no compression, or Deflate (ISO 23001-17): encode it as HEVC, AV1 or PNG')
    succeed(outcome)
    most = library.heif_context_get_number_of_top_level_images(context)
    ids = (ctypes.c_uint32 * most)()
    count = library.heif_context_get_list_of_top_level_image_IDs(context, ids, most)
    if not count:
        raise SystemExit('The file has no pictures')
    if count > MOST:
        refuse('The file has more than 1,000 pictures', 'RESOURCE_LIMIT')
    stem, extension = os.path.splitext(target)
    right = right_of_pair(head)
    seen = [item for item in ids[:count] if item not in right]
    for number, item in enumerate(seen, 1):
        handle = ctypes.c_void_p()
        succeed(library.heif_context_get_image_handle(context, item, ctypes.byref(handle)))
        if library.heif_image_handle_get_width(handle) * library.heif_image_handle_get_height(handle) > int(largest):
            megapixels = int(largest) // 10**6
            refuse(
                f'The picture has more pixels than can be converted: the limit is {megapixels} megapixels',
                'RESOURCE_LIMIT',
            )
        picture = Picture(library, handle)
        with open(f'{stem}-{number}{extension}' if len(seen) > 1 else target, 'wb') as file:
            write_png(file, picture)
        picture.release()


def right_of_pair(head):
    """The pictures for the right eye of stereo pairs, as in spatial photos (ISO/IEC 23008-12, 6.8.5): the left ones do."""
    groups = head.find(b'grpl')
    at = head.find(b'ster', groups)
    if groups < 0 or at < 0 or len(head) < at + 24:
        return ()
    # After the type: version, number of the group, count, left and right.
    return struct.unpack_from('>I', head, at + 20)


if sys.argv[1:] == ['features']:
    features()
else:
    decode(*sys.argv[1:])
