/** The first page of a picture as a reader decoded it: 4 bytes per pixel, row by row. */
export interface Pixels {
  width: number
  height: number
  data: Buffer
}

/** Reads a PAM with 8-bit RGBA (netpbm's pam(5)). */
export function fromPam(bytes: Buffer): Pixels {
  const header = /^P7\nWIDTH (\d+)\nHEIGHT (\d+)\n[\s\S]*?ENDHDR\n/.exec(bytes.toString('latin1', 0, 200))
  if (!header) throw new Error('the reader gave no picture')
  return { width: Number(header[1]), height: Number(header[2]), data: bytes.subarray(header[0].length) }
}
