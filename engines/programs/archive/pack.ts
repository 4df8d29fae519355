import { createWriteStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { Refusal } from '../refusal/refusal.ts'
import { batched } from './bytes.ts'
import { Damaged } from './complaints.ts'
import { easier } from './easier.ts'
import { counted, type Foresight, guard, type Seen, SurveyNeeded } from './guard.ts'
import { keeper } from './kept.ts'
import { sourceOf } from './looks.ts'
import { start } from './programs.ts'
import { decompress, prepare, type Reading } from './reading.ts'
import type { Spec } from './spec.ts'
import { survey } from './survey.ts'
import { summed, sumsOf } from './zip-sums.ts'

/** Milliseconds to wait for a program's complaint after its output ended early. */
const GRACE = 1000

/** Performs a spec. Rejects with a Refusal. */
export async function pack(given: Spec): Promise<void> {
  const spec = { ...given, source: await sourceOf(given) }
  const { changed } = spec.source.kind === 'gzip' ? await again(spec, spec.source) : await repackOrCopy(spec)
  if (!spec.rules.smaller) return
  const [before, after] = await Promise.all([stat(spec.input), stat(spec.output)])
  if (changed || after.size >= before.size) await copyFile(spec.input, spec.output)
}

/** Compresses a file again, with more effort. */
async function again(spec: Spec, source: Extract<Spec['source'], { kind: 'gzip' }>) {
  const { output, ended, end } = await decompress(spec, source)
  try {
    const bytes = counted(output, spec.rules.limits.bytes)
    await pipeline(bytes, createGzip({ level: source.level, memLevel: 9 }), createWriteStream(spec.output))
    await ended()
  } finally {
    end()
  }
  return { changed: false }
}

/** Reads a copy that is easier to read if the programs find the input damaged. */
async function repackOrCopy(spec: Spec): Promise<Seen> {
  try {
    return await repack(spec)
  } catch (error) {
    const source = error instanceof Damaged && (await easier(spec))
    if (!source) throw error
    return repack({ ...spec, source })
  }
}

async function repack(spec: Spec): Promise<Seen> {
  const read = await prepare(spec)
  try {
    return await once(spec, await read())
  } catch (error) {
    if (!(error instanceof SurveyNeeded)) throw error
  }
  const first = await read()
  const known = await told(first, () => survey(first.members, spec.rules))
  return once(spec, await read(), { ...known, ...keeper(`${spec.scratch}/kept`) })
}

/** Reads the entries once, and writes them. */
async function once(spec: Spec, reading: Reading, foresight?: Foresight): Promise<Seen> {
  const seen: Seen = { entries: 0, changed: false }
  const sums = await sumsOf(spec.input, spec.rules.limits.entries)
  const members = sums ? summed(reading.members, sums) : reading.members
  const writer = start(spec.write, spec.scratch, 'pipe')
  writer.output.resume()
  try {
    await told(reading, () =>
      pipeline(batched(guard(members, spec.rules, foresight, seen)), writer.process.stdin!).catch(async (error) => {
        // If the writer has ended, its complaint says why.
        if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') await writer.ended
        throw error
      }),
    )
    await writer.ended
    if (seen.entries === 0 && !spec.rules.smaller) throw new Refusal('The archive holds no files')
    return seen
  } finally {
    writer.process.kill('SIGKILL')
  }
}

/** Uses a reading, then ends it. A complaint of its programs takes precedence over damage found in their output. */
async function told<Result>(reading: Reading, use: () => Promise<Result>): Promise<Result> {
  try {
    const result = await use()
    await reading.ended()
    return result
  } catch (error) {
    if (error instanceof Damaged) await Promise.race([reading.ended(), setTimeout(GRACE)])
    throw error
  } finally {
    reading.end()
  }
}
