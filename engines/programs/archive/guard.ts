import { isUtf8 } from 'node:buffer'
import { Refusal } from '../refusal/refusal.ts'
import { decodeBy } from '../text/charset.ts'
import type { Member } from './entry.ts'
import { filled } from './holes.ts'
import { checkFolders, checkTarget, safeName } from './names.ts'
import type { Rules } from './spec.ts'
import type { Survey } from './survey.ts'
import { padding, tarEnd, tarHeader, type Written } from './write-tar.ts'

/** Thrown when all entries must be surveyed before they can be written. */
export class SurveyNeeded extends Error {}

/** What a survey found, and a store for files that are needed twice. */
export interface Foresight extends Survey {
  /** Copies a file's bytes to the store while they pass. */
  keep: (name: string, body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  /** Reads a file from the store. */
  kept: (name: string) => AsyncIterable<Buffer>
}

/** What the guard found, complete after the last entry. */
export interface Seen {
  /** Number of entries other than the root folder. */
  entries: number
  /** Whether anything was left out of the result, or changed. */
  changed: boolean
}

const MANIFEST = 'META-INF/MANIFEST.MF'
const MANIFEST_TEXT = Buffer.from('Manifest-Version: 1.0\r\n\r\n')

/**
 * Turns the entries of a source into a tar that is safe to unpack anywhere. Names are relative and in UTF-8. Paths and
 * links that lead outside are refused. Devices are left out, special permissions removed. Limits on the number and the
 * sizes of entries are checked before their content is read.
 */
export async function* guard(
  members: AsyncIterable<Member>,
  rules: Rules,
  foresight: Foresight | undefined,
  seen: Seen,
): AsyncGenerator<Buffer> {
  const text = decoder(foresight)
  const links = new Set<string>()
  const files = new Map<string, Written>()
  const dropped = new Set<string>()
  let entries = 0
  let bytes = 0
  let last = '0'

  for await (const { entry, body } of rules.wholeFiles ? filled(members) : members) {
    if (++entries > rules.limits.entries)
      throw new Refusal(`The archive holds more than ${rules.limits.entries} entries`, 'RESOURCE_LIMIT')
    bytes += Math.max(entry.size, entry.sparse ?? 0)
    if (bytes > rules.limits.bytes) throw tooLarge()

    const original = text(entry.name)
    const name = safeName(original, rules.backslashes)
    if (name === '') continue
    seen.entries++
    checkFolders(name, links)
    seen.changed ||= entry.extended || entry.mode > 0o777 || !original.startsWith(name)
    last = entry.mtime
    const written: Written = { ...entry, name, target: '' }

    if (entry.type === 'other') {
      dropped.add(name)
      seen.changed = true
    } else if (entry.type === 'link') {
      const target = safeName(text(entry.target), rules.backslashes)
      if (dropped.has(target)) continue
      const file = files.get(target)
      if (!file) throw new Refusal('A link in the archive points outside the archive')
      files.set(name, file)
      if (!rules.wholeFiles) yield tarHeader({ ...written, target: file.name })
      else {
        if (!foresight) throw new SurveyNeeded()
        bytes += Math.max(file.size, file.sparse ?? 0)
        if (bytes > rules.limits.bytes) throw tooLarge()
        yield* whole({ ...file, name }, foresight.kept(file.name))
      }
    } else if (entry.type === 'symlink') {
      const target = text(entry.target)
      if (!rules.anyLinks) checkTarget(name, target)
      links.add(name)
      yield tarHeader({ ...written, target })
    } else {
      if (entry.type === 'file') files.set(name, written)
      yield* whole(written, foresight?.linked.has(name) ? foresight.keep(name, body) : body)
    }
  }
  if (rules.manifest && !files.has(MANIFEST)) yield* manifest(last)
  yield tarEnd()
}

async function* whole(written: Written, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield tarHeader(written)
  yield* body
  yield padding(written.size)
}

/** The manifest that every Java archive must have. */
async function* manifest(mtime: string): AsyncGenerator<Buffer> {
  const owner = { uid: 0, gid: 0, user: '', group: '' }
  const file = { type: 'file', name: MANIFEST, target: '', size: MANIFEST_TEXT.length, mode: 0o644, mtime } as const
  yield tarHeader({ ...file, ...owner })
  yield MANIFEST_TEXT
  yield padding(MANIFEST_TEXT.length)
}

/** Decodes names: as UTF-8, else in the character set that the survey found. */
export function decoder(survey: Pick<Survey, 'charset'> | undefined) {
  return (bytes: Buffer): string => {
    if (isUtf8(bytes)) return bytes.toString('utf8')
    if (!survey) throw new SurveyNeeded()
    return decodeBy(survey.charset, bytes)
  }
}

export const tooLarge = () =>
  new Refusal('The archive unpacks to far more than its own size, or to more than can be converted', 'RESOURCE_LIMIT')

/** Passes on bytes, up to a limit. */
export async function* counted(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > most) throw tooLarge()
    yield chunk
  }
}
