import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { charsetOfNames, decodeBy } from '../text/charset.ts'
import type { Entry, Member } from './entry.ts'
import { counter } from './limits.ts'
import { safeName } from './names.ts'
import type { Rules } from './spec.ts'

/** Thrown when all entries must be surveyed before they can be written. */
export class SurveyNeeded extends Error {}

/** Facts that only a pass over all entries can tell, and a store for files that are needed twice. */
export interface Survey {
  /** Character set of the names that are not UTF-8. */
  charset: string
  /** Files that hard links point to. */
  linked: ReadonlySet<string>
  /** Copies a file's bytes to the store while they pass. */
  keep: (name: string, body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  /** Reads a file from the store. */
  kept: (name: string) => AsyncIterable<Buffer>
}

/** Number of names that is enough for a guess. */
const ENOUGH = 2000

/**
 * Reads all entries, without their content.
 *
 * @param folder for the store, created when it is needed
 */
export async function survey(members: AsyncIterable<Member>, rules: Rules, folder: string): Promise<Survey> {
  const foreign: Buffer[] = []
  const links: Entry[] = []
  const count = counter(rules.limits)
  for await (const { entry } of members) {
    count(entry.size)
    if (foreign.length < ENOUGH) foreign.push(...[entry.name, entry.target].filter((name) => !isUtf8(name)))
    if (entry.type === 'link') links.push(entry)
  }
  const charset = charsetOfNames(foreign)
  const name = (bytes: Buffer) => safeName(decode(bytes, charset), rules.backslashes)
  return { charset, linked: filesOf(links, name), ...store(folder) }
}

/** Decodes a name: as UTF-8, else in the character set that the survey found. */
export function decode(bytes: Buffer, charset: string | undefined): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  if (!charset) throw new SurveyNeeded()
  return decodeBy(charset, bytes)
}

/** The files that links point to, directly or through other links. */
function filesOf(links: readonly Entry[], name: (bytes: Buffer) => string): Set<string> {
  const files = new Map<string, string>()
  for (const link of links) {
    const target = name(link.target)
    files.set(name(link.name), files.get(target) ?? target)
  }
  return new Set(files.values())
}

/** Stores the files that hard links point to, because a stream contains them only once. */
function store(folder: string): Pick<Survey, 'keep' | 'kept'> {
  const paths = new Map<string, string>()
  // A name can come twice, so the number of names is no name for a file.
  let files = 0
  return {
    async *keep(name, body) {
      await mkdir(folder, { recursive: true })
      const path = `${folder}/${files++}`
      paths.set(name, path)
      await using file = await open(path, 'w')
      for await (const piece of body) {
        await file.write(piece)
        yield piece
      }
    },
    kept: (name) => createReadStream(paths.get(name)!),
  }
}
