import { type FileHandle, open } from 'node:fs/promises'
import { Refusal } from '../refusal/refusal.ts'
import { damaged, encrypted } from './complaints.ts'
import { isCutOff, isUdf } from './iso.ts'
import { endsWithinCode } from './lzw.ts'
import { rarKind } from './rar.ts'
import type { Source, Spec } from './spec.ts'
import { ZIP, zipEncrypted } from './zip.ts'

/** Reads a piece of the source. It is shorter at the end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** Reads pieces of an open file. */
export const readerOf =
  (file: FileHandle): ReadAt =>
  async (position, length) => {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, position)
    return bytes.subarray(0, bytesRead)
  }

/** Decides how to read an input. Refuses one that no program can read. */
export async function sourceOf({ input, source, older }: Spec): Promise<Source> {
  await using file = await open(input)
  const readAt = readerOf(file)
  const mark = (await readAt(0, 8)).toString('latin1')
  if (ZIP.test(mark) && (await zipEncrypted(readAt, (await file.stat()).size))) throw encrypted()
  if (mark.startsWith('\x1f\x9d') && (await endsWithinCode(readAt, (await file.stat()).size))) throw damaged()
  if (mark.startsWith('Rar!')) {
    const kind = await rarKind(readAt)
    if (kind.encrypted) throw encrypted()
    if (kind.part) throw new Refusal('The archive is one part of several; only complete archives can be converted')
    if (kind.version === 4 && older?.kind === 'rar4') return older.source
    if (source.kind === 'tar' && kind.copies.size > 0) return { ...source, copies: kind.copies }
  }
  if (older?.kind === 'udf' && (await isCutOff(readAt, (await file.stat()).size))) throw damaged()
  if (older?.kind === 'udf' && (await isUdf(readAt))) return older.source
  if (older?.kind === 'old-cpio' && /^(\xc7\x71|\x71\xc7|070707)/.test(mark)) return older.source
  return source
}
