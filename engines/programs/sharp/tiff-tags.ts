import { open } from 'node:fs/promises'

/** Metadata that libvips does not read: make, model, artist, copyright, IPTC, the EXIF and GPS directories. */
const telling = [271, 272, 315, 33432, 33723, 34665, 34853]
/** NewSubfileType. Bit 0 marks a smaller copy of another page. */
const subfile = 254

/** Tags of the pages of a TIFF (TIFF 6.0, section 2), at most 1,000. Empty for a damaged file or a BigTIFF. */
export async function tiffPages(path: string): Promise<{ described: boolean; reduced: boolean }[]> {
  await using file = await open(path)
  const read = async (at: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer
  const header = await read(0, 8)
  const little = header.toString('latin1', 0, 2) === 'II'
  const short = (from: Buffer, at: number) => (little ? from.readUInt16LE(at) : from.readUInt16BE(at))
  const long = (from: Buffer, at: number) => (little ? from.readUInt32LE(at) : from.readUInt32BE(at))
  const pages: { described: boolean; reduced: boolean }[] = []
  if (short(header, 2) !== 42) return pages
  for (let at = long(header, 4); at !== 0 && pages.length < 1000; ) {
    const count = short(await read(at, 2), 0)
    const entries = await read(at + 2, count * 12 + 4)
    const tags = Array.from({ length: count }, (_, index) => short(entries, index * 12))
    const kind = tags.indexOf(subfile)
    const reduced = kind >= 0 && (long(entries, kind * 12 + 8) & 1) === 1
    pages.push({ described: tags.some((tag) => telling.includes(tag)), reduced })
    at = long(entries, count * 12)
  }
  return pages
}
