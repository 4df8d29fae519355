import { open, rm } from 'node:fs/promises'
import { padRar } from './rar-padded.ts'
import type { Source, Spec } from './spec.ts'
import { storeSeven } from './stored.ts'

/**
 * Writes a copy of the input that programs read, if they stop at what the input is known for. Returns how to read it.
 * Refuses what no program reads.
 */
export async function easier(spec: Spec): Promise<Source | undefined> {
  const { input, scratch, source } = spec
  await using file = await open(input)
  const mark = (await file.read(Buffer.alloc(7), 0, 7, 0)).buffer.toString('latin1')
  const copy = `${scratch}/copy`
  const copied = mark.startsWith('7z')
    ? await storeSeven(spec, copy)
    : mark === 'Rar!\x1a\x07\0' && (await padRar(input, copy))
  if (!copied) return undefined
  if (source.kind === 'folder') await rm(source.folder, { recursive: true, force: true })
  return JSON.parse(JSON.stringify(source), (_, value) => (value === input ? copy : value))
}
