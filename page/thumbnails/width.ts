/** Width of thumbnails in pixels: enough for screens with three pixels for one. */
export const WIDTH = 168
