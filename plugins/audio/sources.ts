import { film } from '../formats/film/films.ts'

const megabyte = 1_000_000

/** Usual minimum size in bytes of ten minutes in a format; 10 MB for formats that are not listed. */
const lengthy: Readonly<Record<string, number>> = {
  ...{ amr: megabyte, spx: 2 * megabyte, opus: 5 * megabyte, ra: 2 * megabyte, voc: 5 * megabyte, au: 5 * megabyte },
  ...Object.fromEntries(['wav', 'aiff', 'caf'].map((format) => [format, 60 * megabyte])),
  ...Object.fromEntries(['flac', 'ape', 'wv', 'tta', 'dts'].map((format) => [format, 40 * megabyte])),
  ...Object.fromEntries(film.map((format) => [format, 25 * megabyte])),
}

/** Whether a file may be longer than ten minutes. */
export const mayBeLong = (format: string, size: number) => size > (lengthy[format] ?? 10 * megabyte)
