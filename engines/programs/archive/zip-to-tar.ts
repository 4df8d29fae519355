/**
 * Repacks plain zips as tar without other programs. Refuses every other archive, for `repack.ts` to judge.
 *
 * Prints `ready`. Each line of input is a JSON array with one task as JSON. The answer is `{"done":true}` or
 * `{"error":{"code":…,"message":…}}`. Keeps nothing between tasks.
 */
import { closeSync, createWriteStream, fstatSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { batched } from './bytes.ts'
import { Damaged } from './complaints.ts'
import { guard, type Seen } from './guard.ts'
import { type Packed, plainZip } from './plain-zip.ts'
import type { Rules } from './spec.ts'
import { zipMembers } from './zip-members.ts'

/** One zip to repack. Paths are those inside the sandbox. */
export interface ZipToTar {
  input: string
  output: string
  /** From 0 to 9; undefined: the tar is not compressed. */
  gzip?: number
  rules: Rules
}

/** Bytes that gzip compresses at once. */
const PIECE = 64 * 1024
const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`)

async function perform({ input, output, gzip, rules }: ZipToTar): Promise<void> {
  const file = openSync(input, 'r')
  try {
    const { size } = fstatSync(file)
    const entries = plainZip(file, size, rules.limits.entries)
    if (!entries) throw new Error('the zip is not plain')
    const seen: Seen = { entries: 0, changed: false }
    const tar = batched(guard(reported(zipMembers(input, file, entries), entries, size), rules, undefined, seen))
    const made = createWriteStream(output)
    await (gzip === undefined
      ? pipeline(tar, made)
      : pipeline(tar, createGzip({ level: gzip, chunkSize: PIECE }), made))
    if (seen.entries === 0) throw new Error('the zip is empty')
  } catch (error) {
    await rm(output, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** The same members. Prints the part of the archive before each, at most a hundred times. */
async function* reported<Each>(members: AsyncIterable<Each>, entries: readonly Packed[], size: number) {
  let [number, said] = [0, 0]
  for await (const member of members) {
    const progress = Math.floor((entries[number++]!.at / size) * 100) / 100
    if (progress > said) say({ progress: (said = progress) })
    yield member
  }
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const [task] = JSON.parse(line) as [string]
    await perform(JSON.parse(task) as ZipToTar)
    say({ done: true })
  } catch (error) {
    // For the operator's log only.
    console.error(String(error).replaceAll('\n', ' | '))
    say({ error: { code: 'CONVERSION_ERROR', message: error instanceof Damaged ? error.message : '' } })
  }
}
