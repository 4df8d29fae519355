/** Formats of sound that are read. */
export const sounds = [
  ...['mp3', 'wav', 'flac', 'aac', 'm4a', 'm4b', 'm4r', 'ogg', 'opus', 'spx', 'wma', 'aiff', 'amr', 'ac3', 'au'],
  ...['caf', 'dts', 'ape', 'wv', 'mp2', 'mka', 'voc', 'ra', 'weba', 'tta'],
]

/** Formats of moving pictures whose sound is read. */
export const films = [
  ...['mp4', 'mkv', 'webm', 'mov', 'avi', 'wmv', 'asf', 'flv', 'f4v', 'mpg', 'vob', 'ts', 'mts', 'm2ts', '3gp'],
  ...['3g2', 'ogv', 'mxf', 'dv', 'rm', 'rmvb', 'swf'],
]

const megabyte = 1_000_000

/** Bytes that ten minutes of a format have at least, by what is usual; for those left out 10 MB. */
const lengthy: Readonly<Record<string, number>> = {
  ...{ amr: megabyte, spx: 2 * megabyte, opus: 5 * megabyte, ra: 2 * megabyte, voc: 5 * megabyte, au: 5 * megabyte },
  ...Object.fromEntries(['wav', 'aiff', 'caf'].map((format) => [format, 60 * megabyte])),
  ...Object.fromEntries(['flac', 'ape', 'wv', 'tta', 'dts'].map((format) => [format, 40 * megabyte])),
  ...Object.fromEntries(films.map((format) => [format, 25 * megabyte])),
}

/** Whether a file may play for more than ten minutes. */
export const mayBeLong = (format: string, size: number) => size > (lengthy[format] ?? 10 * megabyte)
