import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Damaged, meaning } from './complaints.ts'
import { type Entry, type Member, NO_OWNER } from './entry.ts'
import { bytesAt } from './iso.ts'
import { limited } from './limits.ts'
import { safeName } from './names.ts'
import { type Running, start, startAll } from './programs.ts'
import { readTar } from './read-tar.ts'
import type { Command, Source, Spec } from './spec.ts'

/** One pass over the entries of a source. */
export interface Reading extends Omit<Running, 'output'> {
  members: AsyncIterable<Member>
}

type Compressed = Extract<Source, { kind: 'file' | 'gzip' }>

/** Prepares a source. Returns a function that reads its entries; call it once for each pass. */
export async function prepare(spec: Spec): Promise<() => Promise<Reading>> {
  const { source, scratch } = spec
  if (source.kind === 'gzip') throw new Error('there are no entries to read')
  if (source.kind === 'file') return (await isTar(spec, source)) ? tarInside(spec, source) : oneFile(spec, source)
  if (source.kind === 'folder') {
    if (source.list) await checkNames(source.list, spec)
    await mkdir(source.folder, { recursive: true })
    const { output, ended } = start(source.unpack, scratch, 'ignore')
    // Some programs complain on standard output.
    const printed = await text(output)
    await ended.catch((error) => {
      throw (error instanceof Damaged && meaning(printed)) || error
    })
  }
  return async () => {
    const pipe = startAll(source.read, scratch, 'ignore')
    const proof = source.kind === 'tar' && source.proof ? start(source.proof, scratch, 'ignore', 'ignore') : undefined
    const ended = async () => void (await Promise.all([pipe.ended(), proof?.ended]))
    const end = () => {
      pipe.end()
      proof?.process.kill('SIGKILL')
    }
    return { members: readTar(pipe.output), ended, end }
  }
}

/** Refuses names that lead outside. */
async function checkNames(list: Command, { scratch, rules }: Spec): Promise<void> {
  const { output, ended } = start(list, scratch, 'ignore')
  for await (const line of createInterface({ input: output }))
    if (line.startsWith('Path = ')) safeName(line.replace('Path = ', ''), rules.backslashes)
  // What it complains about, the program that unpacks refuses with better words.
  await ended.catch(() => {})
}

/** Starts the program that decompresses the input. */
export async function decompress(spec: Spec, { read }: Compressed, ...behind: Spec['write'][]) {
  const input = await open(spec.input)
  // The program has its own copy of the descriptor.
  try {
    return startAll([read, ...behind], spec.scratch, input.fd)
  } finally {
    await input.close()
  }
}

async function isTar(spec: Spec, source: Compressed): Promise<boolean> {
  const { output, ended, end } = await decompress(spec, source)
  try {
    for await (const _ of readTar(output)) return true
  } catch {
    // Any other file.
  } finally {
    end()
  }
  await ended().catch(() => {})
  return false
}

const tarInside = (spec: Spec, source: Extract<Source, { kind: 'file' }>) => async () => {
  const { output, ...running } = await decompress(spec, source, source.tar)
  return { members: readTar(output), ...running }
}

/** Decompresses to a file first: an archive stores the size of a file before its content. */
async function oneFile(spec: Spec, source: Extract<Source, { kind: 'file' }>) {
  const path = `${spec.scratch}/file`
  const { output, ended, end } = await decompress(spec, source)
  try {
    await pipeline(limited(output, spec.rules.limits.bytes), createWriteStream(path))
    await ended()
  } finally {
    end()
  }
  const entry: Entry = {
    ...NO_OWNER,
    type: 'file',
    name: Buffer.from(source.name),
    target: Buffer.alloc(0),
    size: (await stat(path)).size,
    mode: 0o644,
    mtime: await timeOf(spec.input),
  }
  return async (): Promise<Reading> => ({
    members: Readable.from([{ entry, body: createReadStream(path) }]),
    ended: async () => {},
    end: () => {},
  })
}

/** The file's modification time from a gzip header (RFC 1952, MTIME). For other formats, the present time. */
async function timeOf(path: string): Promise<number> {
  await using file = await open(path)
  const head = await bytesAt(file, 0, 8)
  const time = head.length === 8 && head.readUInt16BE(0) === 0x1f8b ? head.readUInt32LE(4) : 0
  return time || Math.floor(Date.now() / 1000)
}
