import { Readable } from 'node:stream'
import { Refusal } from '../refusal/refusal.ts'
import { type Member, NO_OWNER, type SafeEntry, type SafeMember } from './entry.ts'
import { counter } from './limits.ts'
import { checkFolders, checkTarget, safeName } from './names.ts'
import type { Rules } from './spec.ts'
import { decode, type Survey, SurveyNeeded } from './survey.ts'

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
 * Makes the entries of a source safe to unpack anywhere. Names are relative and in UTF-8. Paths and links that lead
 * outside are refused. Devices are left out, special permissions removed. Limits on the number and the sizes of
 * entries are checked before their content is read.
 */
export async function* guard(
  members: AsyncIterable<Member>,
  rules: Rules,
  survey: Survey | undefined,
  seen: Seen,
): AsyncGenerator<SafeMember> {
  const links = new Set<string>()
  const files = new Map<string, SafeEntry>()
  const dropped = new Set<string>()
  const count = counter(rules.limits)
  let last = 0

  for await (const { entry, body } of members) {
    count(entry.size)
    const original = decode(entry.name, survey?.charset)
    const name = safeName(original, rules.backslashes)
    if (name === '') continue
    seen.entries++
    checkFolders(name, links)
    seen.changed ||= entry.mode > 0o777 || !original.startsWith(name)
    last = entry.mtime
    const safe: SafeEntry = { ...entry, name, target: '' }

    if (entry.type === 'other') {
      dropped.add(name)
      seen.changed = true
    } else if (entry.type === 'link') {
      const target = safeName(decode(entry.target, survey?.charset), rules.backslashes)
      if (dropped.has(target)) continue
      const file = files.get(target)
      if (!file) throw new Refusal('A link in the archive points outside the archive')
      files.set(name, file)
      if (rules.wholeFiles) {
        if (!survey) throw new SurveyNeeded()
        count(file.size, false)
        yield { entry: { ...file, name }, body: survey.kept(file.name) }
      } else yield { entry: { ...safe, target: file.name } }
    } else if (entry.type === 'symlink') {
      const target = decode(entry.target, survey?.charset)
      if (!rules.anyLinks) checkTarget(name, target)
      links.add(name)
      yield { entry: { ...safe, target } }
    } else if (entry.type === 'folder') yield { entry: safe }
    else {
      files.set(name, safe)
      yield { entry: safe, body: survey?.linked.has(name) ? survey.keep(name, body) : body }
    }
  }
  if (rules.manifest && !files.has(MANIFEST)) yield manifest(last)
}

/** The manifest that every Java archive must have. */
const manifest = (mtime: number): SafeMember => ({
  entry: { ...NO_OWNER, type: 'file', name: MANIFEST, target: '', size: MANIFEST_TEXT.length, mode: 0o644, mtime },
  body: Readable.from([MANIFEST_TEXT]),
})
