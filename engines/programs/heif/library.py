"""The part of libheif's interface that decodes pictures: https://github.com/strukturag/libheif (libheif/heif.h)."""

import ctypes

# Numbers of libheif: a compression, a colour space, a channel, and layouts by (more than 8 bits, alpha).
HEVC, RGB, INTERLEAVED = 1, 1, 10
LAYOUTS = {(False, False): 10, (False, True): 11, (True, False): 12, (True, True): 13}

ID, POINTER = ctypes.c_uint32, ctypes.c_void_p


class Outcome(ctypes.Structure):
    """`struct heif_error`. Code 0 is success."""

    _fields_ = [('code', ctypes.c_int), ('detail', ctypes.c_int), ('message', ctypes.c_char_p)]


class Nclx(ctypes.Structure):
    """The beginning of `struct heif_color_profile_nclx`: numbers of ITU-T H.273."""

    _fields_ = [('version', ctypes.c_uint8), ('primaries', ctypes.c_int), ('transfer', ctypes.c_int)]


SIGNATURES = {
    'heif_get_version': (ctypes.c_char_p, []),
    'heif_have_decoder_for_format': (ctypes.c_int, [ctypes.c_int]),
    'heif_context_alloc': (POINTER, []),
    'heif_context_read_from_file': (Outcome, [POINTER, ctypes.c_char_p, POINTER]),
    'heif_context_get_number_of_top_level_images': (ctypes.c_int, [POINTER]),
    'heif_context_get_list_of_top_level_image_IDs': (ctypes.c_int, [POINTER, POINTER, ctypes.c_int]),
    'heif_context_get_image_handle': (Outcome, [POINTER, ID, POINTER]),
    'heif_image_handle_get_width': (ctypes.c_int, [POINTER]),
    'heif_image_handle_get_height': (ctypes.c_int, [POINTER]),
    'heif_image_handle_release': (None, [POINTER]),
    'heif_image_handle_has_alpha_channel': (ctypes.c_int, [POINTER]),
    'heif_image_handle_get_luma_bits_per_pixel': (ctypes.c_int, [POINTER]),
    'heif_image_handle_get_raw_color_profile_size': (ctypes.c_size_t, [POINTER]),
    'heif_image_handle_get_raw_color_profile': (Outcome, [POINTER, POINTER]),
    'heif_image_handle_get_nclx_color_profile': (Outcome, [POINTER, ctypes.POINTER(ctypes.POINTER(Nclx))]),
    'heif_nclx_color_profile_free': (None, [ctypes.POINTER(Nclx)]),
    'heif_image_handle_get_number_of_metadata_blocks': (ctypes.c_int, [POINTER, ctypes.c_char_p]),
    'heif_image_handle_get_list_of_metadata_block_IDs': (ctypes.c_int, [POINTER, ctypes.c_char_p, POINTER, ctypes.c_int]),
    'heif_image_handle_get_metadata_content_type': (ctypes.c_char_p, [POINTER, ID]),
    'heif_image_handle_get_metadata_size': (ctypes.c_size_t, [POINTER, ID]),
    'heif_image_handle_get_metadata': (Outcome, [POINTER, ID, POINTER]),
    'heif_decode_image': (Outcome, [POINTER, POINTER, ctypes.c_int, ctypes.c_int, POINTER]),
    'heif_image_release': (None, [POINTER]),
    'heif_image_get_width': (ctypes.c_int, [POINTER, ctypes.c_int]),
    'heif_image_get_height': (ctypes.c_int, [POINTER, ctypes.c_int]),
    'heif_image_get_bits_per_pixel_range': (ctypes.c_int, [POINTER, ctypes.c_int]),
    'heif_image_get_plane_readonly': (POINTER, [POINTER, ctypes.c_int, POINTER]),
}


def load():
    """Loads libheif. Raises OSError if it is not installed, and AttributeError if it is too old."""
    library = ctypes.CDLL('libheif.so.1')
    for name, (answer, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = answer, arguments
    return library


def succeed(outcome):
    """Ends the program with libheif's message if a call failed."""
    if outcome.code:
        raise SystemExit((outcome.message or b'').decode('utf-8', 'replace'))
