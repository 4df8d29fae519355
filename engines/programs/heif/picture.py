"""One picture of a HEIF file: upright pixels in RGB, with its colour profile and its metadata."""

import ctypes

from exif import upright
from hdr import tone_map
from library import INTERLEAVED, LAYOUTS, RGB, Nclx, succeed


class Picture:
    """Decodes a picture by its handle. `bits` counts those of a sample; samples above 8 bits have 2 bytes."""

    def __init__(self, library, handle):
        self.library, self.handle = library, handle
        self.alpha = bool(library.heif_image_handle_has_alpha_channel(handle))
        deep = library.heif_image_handle_get_luma_bits_per_pixel(handle) > 8
        self.image = ctypes.c_void_p()
        succeed(library.heif_decode_image(handle, ctypes.byref(self.image), RGB, LAYOUTS[deep, self.alpha], None))
        self.width, self.height, self.bits = (
            ask(self.image, INTERLEAVED)
            for ask in (library.heif_image_get_width, library.heif_image_get_height, library.heif_image_get_bits_per_pixel_range)
        )
        self.profile = self.tone_mapping() or self.find_profile()
        # libheif has turned the pixels.
        self.exif = upright(self.metadata(b'Exif', b''))
        self.xmp = self.metadata(b'mime', b'application/rdf+xml').split(b'\0')[0]

    def rows(self):
        """Returns the rows of pixels. Samples of 9 to 15 bits are spread over 16."""
        stride = ctypes.c_int()
        start = self.library.heif_image_get_plane_readonly(self.image, INTERLEAVED, ctypes.byref(stride))
        pixels = memoryview((ctypes.c_ubyte * (stride.value * self.height)).from_address(start)).cast('B')
        samples = self.width * (4 if self.alpha else 3)
        size = samples * (2 if self.bits > 8 else 1)
        rows = (pixels[at : at + size] for at in range(0, stride.value * self.height, stride.value))
        return (spread(row, self.bits, samples) for row in rows) if 8 < self.bits < 16 else rows

    def tone_mapping(self):
        """Returns a profile that tone maps a picture of high dynamic range, or nothing."""
        told = ctypes.POINTER(Nclx)()
        if self.library.heif_image_handle_get_nclx_color_profile(self.handle, ctypes.byref(told)).code or not told:
            return b''
        transfer, primaries = told.contents.transfer, told.contents.primaries
        self.library.heif_nclx_color_profile_free(told)
        return tone_map(transfer, primaries)

    def find_profile(self):
        """Returns the ICC profile without padding, or nothing."""
        size = self.library.heif_image_handle_get_raw_color_profile_size(self.handle)
        content = ctypes.create_string_buffer(size)
        if size < 128 or self.library.heif_image_handle_get_raw_color_profile(self.handle, content).code:
            return b''
        length = int.from_bytes(content.raw[:4], 'big')
        return content.raw[:length] if 128 <= length <= size else b''

    def metadata(self, kind, media):
        """Returns the first metadata of an item type and a media type that can be read, or nothing."""
        most = self.library.heif_image_handle_get_number_of_metadata_blocks(self.handle, kind)
        ids = (ctypes.c_uint32 * most)()
        count = self.library.heif_image_handle_get_list_of_metadata_block_IDs(self.handle, kind, ids, most)
        for item in ids[:count]:
            if self.library.heif_image_handle_get_metadata_content_type(self.handle, item) not in (media, media or None):
                continue
            content = ctypes.create_string_buffer(self.library.heif_image_handle_get_metadata_size(self.handle, item))
            if not self.library.heif_image_handle_get_metadata(self.handle, item, content).code:
                return content.raw
        return b''

    def release(self):
        """Frees the pixels."""
        self.library.heif_image_release(self.image)
        self.library.heif_image_handle_release(self.handle)


def spread(row, bits, samples):
    """Spreads samples of 9 to 15 bits over 16, so that white stays white. All samples of a row are one number."""
    value = int.from_bytes(row, 'big')
    shift = 16 - bits
    low = int.from_bytes((2**shift - 1).to_bytes(2, 'big') * samples, 'big')
    return (value << shift | value >> bits - shift & low).to_bytes(samples * 2, 'big')
