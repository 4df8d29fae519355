import { createWriteStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { Refusal } from '../refusal/refusal.ts'
import { Damaged, NOT_UTF8 } from './complaints.ts'
import { guard, type Seen } from './guard.ts'
import { type Inspected, inspect, LinksLost, methodRefusal } from './inspect.ts'
import { limited } from './limits.ts'
import { start } from './programs.ts'
import { decompress, prepare, type Reading } from './reading.ts'
import type { Source, Spec } from './spec.ts'
import { type Survey, SurveyNeeded, survey } from './survey.ts'
import { writeTar } from './write-tar.ts'

/** Milliseconds to wait for a program's complaint after its output ended early. */
const COMPLAINT_TIMEOUT_MS = 1000

/** Performs a spec. Rejects with a Refusal. */
export async function pack(spec: Spec): Promise<void> {
  const { changed } = await repackAny(spec).catch(async (error) => {
    throw (error instanceof Damaged && (await methodRefusal(spec))) || error
  })
  if (!spec.rules.smaller) return
  const [before, after] = await Promise.all([stat(spec.input), stat(spec.output)])
  if (changed || after.size >= before.size) await copyFile(spec.input, spec.output)
}

async function repackAny(spec: Spec): Promise<Pick<Seen, 'changed'>> {
  const { source, amend } = await inspect(spec)
  if (source.kind === 'gzip') return recompress(spec, source)
  try {
    return await repack({ ...spec, source }, amend)
  } catch (error) {
    if (!spec.exception || !isException(error, spec.exception.when)) throw error
    return repack({ ...spec, source: spec.exception.source }, (members) => members)
  }
}

const isException = (error: unknown, when: string) =>
  error instanceof LinksLost || (when === 'names' && error instanceof Damaged && NOT_UTF8.test(String(error.cause)))

/** Compresses a file again, with more effort. */
async function recompress(spec: Spec, source: Extract<Source, { kind: 'gzip' }>) {
  const { output, ended, end } = await decompress(spec, source)
  try {
    const bytes = limited(output, spec.rules.limits.bytes)
    await pipeline(bytes, createGzip({ level: source.level, memLevel: 9 }), createWriteStream(spec.output))
    await ended()
  } finally {
    end()
  }
  return { changed: false }
}

async function repack(spec: Spec, amend: Inspected['amend']): Promise<Seen> {
  const prepared = await prepare(spec)
  const read = async (): Promise<Reading> => {
    const { members, ...running } = await prepared()
    return { members: amend(members), ...running }
  }
  try {
    return await once(spec, await read())
  } catch (error) {
    if (!(error instanceof SurveyNeeded)) throw error
  }
  const first = await read()
  const known = await explained(first, () => survey(first.members, spec.rules, `${spec.scratch}/kept`))
  return once(spec, await read(), known)
}

/** Reads the entries once, and writes them. */
async function once(spec: Spec, reading: Reading, known?: Survey): Promise<Seen> {
  const seen: Seen = { entries: 0, changed: false }
  const writer = start(spec.write, spec.scratch, 'pipe')
  writer.output.resume()
  try {
    await explained(reading, () =>
      pipeline(writeTar(guard(reading.members, spec.rules, known, seen)), writer.process.stdin!).catch(
        async (error) => {
          // If the writer has ended, its complaint says why.
          if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') await writer.ended
          throw error
        },
      ),
    )
    await writer.ended
    if (seen.entries === 0 && !spec.rules.smaller) throw new Refusal('The archive holds no files')
    return seen
  } finally {
    writer.process.kill('SIGKILL')
  }
}

/** Uses a reading, then ends it. A complaint of its programs takes precedence over damage found in their output. */
async function explained<Result>(reading: Reading, use: () => Promise<Result>): Promise<Result> {
  try {
    const result = await use()
    await reading.ended()
    return result
  } catch (error) {
    if (error instanceof Damaged) await Promise.race([reading.ended(), setTimeout(COMPLAINT_TIMEOUT_MS)])
    throw error
  } finally {
    reading.end()
  }
}
