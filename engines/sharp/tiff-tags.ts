import { open } from 'node:fs/promises'

/** Make, model, artist, copyright, IPTC, and the directories of EXIF and GPS: what libvips does not read (TIFF 6.0). */
const telling = [271, 272, 315, 33432, 33723, 34665, 34853]

/** Whether a TIFF says of its picture what libvips leaves behind. A broken or large (BigTIFF) one says nothing. */
export async function describedTiff(path: string): Promise<boolean> {
  await using file = await open(path)
  const read = async (at: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer
  const header = await read(0, 8)
  const little = header.toString('latin1', 0, 2) === 'II'
  const short = (from: Buffer, at: number) => (little ? from.readUInt16LE(at) : from.readUInt16BE(at))
  if (short(header, 2) !== 42) return false
  const directory = little ? header.readUInt32LE(4) : header.readUInt32BE(4)
  const count = short(await read(directory, 2), 0)
  const entries = await read(directory + 2, count * 12)
  for (let entry = 0; entry < count; entry++) if (telling.includes(short(entries, entry * 12))) return true
  return false
}
