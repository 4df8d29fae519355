import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { BLOCK, byteReader } from './bytes.ts'
import { Damaged, meaning } from './complaints.ts'
import { type Member, plainEntry } from './entry.ts'
import { counted } from './guard.ts'
import { safeName } from './names.ts'
import { type Running, start, startAll } from './programs.ts'
import { readCpio } from './read-cpio.ts'
import { isHeader, readTar } from './read-tar.ts'
import type { Command, Source, Spec } from './spec.ts'

/** One pass over the entries of a source. */
export interface Reading extends Omit<Running, 'output'> {
  members: AsyncIterable<Member>
}

/** What comes before a name in a list of names. */
const PATH = 'Path = '

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
    const said = await lastOf(output)
    // Some programs complain on standard output.
    await ended.catch((error) => {
      throw (error instanceof Damaged && meaning(said)) || error
    })
  }
  return async () => {
    const { output, ...running } = startAll(source.read, scratch, 'ignore')
    if (source.kind === 'cpio') return { members: readCpio(output), ...running }
    const members = readTar(output)
    const copies = source.kind === 'tar' && source.copies
    return { members: copies ? linked(members, copies) : members, ...running }
  }
}

/** The same entries; copies of others are links to them. */
async function* linked(members: AsyncIterable<Member>, copies: ReadonlyMap<string, string>): AsyncGenerator<Member> {
  for await (const { entry, body } of members) {
    const original = entry.size === 0 ? copies.get(entry.name.toString('utf8')) : undefined
    yield original === undefined
      ? { entry, body }
      : { entry: { ...entry, type: 'link', target: Buffer.from(original) }, body }
  }
}

/** Refuses names that lead outside. */
async function checkNames(list: Command, { scratch, rules }: Spec): Promise<void> {
  const { output, ended } = start(list, scratch, 'ignore')
  for await (const line of createInterface({ input: output }))
    if (line.startsWith(PATH)) safeName(line.slice(PATH.length), rules.backslashes)
  // What it complains about, the program that unpacks refuses with better words.
  await ended.catch(() => {})
}

/** The last 4 KiB of a program's output. */
async function lastOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of output) text = `${text}${chunk.toString('latin1')}`.slice(-4096)
  return text
}

/** Starts the program that decompresses the input. */
export async function decompress(spec: Spec, { read, tolerated }: Compressed, ...behind: Spec['write'][]) {
  const input = await open(spec.input)
  // The program has its own copy of the descriptor.
  try {
    return startAll([read, ...behind], spec.scratch, input.fd, tolerated)
  } finally {
    await input.close()
  }
}

async function isTar(spec: Spec, source: Compressed): Promise<boolean> {
  const { output, ended, end } = await decompress(spec, source)
  const head = await byteReader(output)
    .exactly(BLOCK)
    .catch(() => undefined)
  if (!head) await ended()
  end()
  return head !== undefined && isHeader(head)
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
    await pipeline(counted(output, spec.rules.limits.bytes), createWriteStream(path))
    await ended()
  } finally {
    end()
  }
  const { size } = await stat(path)
  const entry = plainEntry(source.name, 'file', size, 0o644, await timeOf(spec.input))
  return async (): Promise<Reading> => ({
    members: one({ entry, body: size > 0 ? createReadStream(path) : createReadStream('/dev/null') }),
    ended: async () => {},
    end: () => {},
  })
}

async function* one(member: Member) {
  yield member
}

/** The file's modification time from a gzip header (RFC 1952, MTIME). For other formats, the present time. */
async function timeOf(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  const time = buffer.readUInt16BE(0) === 0x1f8b ? buffer.readUInt32LE(4) : 0
  return String(time || Math.floor(Date.now() / 1000))
}
