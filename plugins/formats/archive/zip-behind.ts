import type { Look, Source, Verdict } from '../../../kernel/contract.ts'

/** Bytes of the record at the end of a zip, and the most that may follow it: a comment (APPNOTE 4.3.16). */
const RECORD = 22
const MAX_COMMENT = 65_535

/** A zip behind other bytes: a self-extractor, a script, what a download left. The end of the zip ends the file. */
export const zipBehind: Look = (file) => zipAtEnd(file)

const part = { refused: 'this is the last part of a zip in several files; join them first, for example by "zip -s 0"' }

async function zipAtEnd(file: Source): Promise<Verdict | undefined> {
  const tail = await file.read(file.size - Math.min(file.size, RECORD + MAX_COMMENT), RECORD + MAX_COMMENT)
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at < 0 || at + RECORD + tail.readUInt16LE(at + 20) !== tail.length) return undefined
  if (tail.readUInt16LE(at + 4) > 0) return part
  const bytes = tail.readUInt32LE(at + 12)
  const start = file.size - tail.length + at - bytes
  const header = await file.read(start, 46)
  if (header.toString('latin1', 0, 4) !== 'PK\x01\x02') return undefined
  // Some programs count offsets from the start of the file, others from that of the zip.
  const behind = start - tail.readUInt32LE(at + 16)
  const first = await file.read(behind + header.readUInt32LE(42), 4)
  return first.toString('latin1') === 'PK\x03\x04' ? 'zip' : undefined
}
