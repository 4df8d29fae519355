import { isUtf8 } from 'node:buffer'
import { Refusal } from '../refusal/refusal.ts'
import { guessCharset } from '../text/charset.ts'
import { drain } from './bytes.ts'
import type { Entry, Member } from './entry.ts'
import { decoder, tooLarge } from './guard.ts'
import { safeName } from './names.ts'
import type { Rules } from './spec.ts'

/** Facts that only a pass over all entries can tell. */
export interface Survey {
  /** Character set of the names that are not UTF-8. */
  charset: string
  /** Files that hard links point to. */
  linked: ReadonlySet<string>
}

/** Number of names that is enough for a guess. */
const ENOUGH = 2000

/** Reads all entries, without their content. */
export async function survey(members: AsyncIterable<Member>, rules: Rules): Promise<Survey> {
  const foreign: Buffer[] = []
  const links: Pick<Entry, 'name' | 'target'>[] = []
  let entries = 0
  let bytes = 0
  for await (const { entry, body } of members) {
    if (++entries > rules.limits.entries)
      throw new Refusal(`The archive holds more than ${rules.limits.entries} entries`, 'RESOURCE_LIMIT')
    bytes += entry.size
    if (bytes > rules.limits.bytes) throw tooLarge()
    if (foreign.length < ENOUGH)
      foreign.push(...[entry.name, entry.target].filter((name) => !isUtf8(name)).map((name) => Buffer.from(name)))
    if (entry.type === 'link') links.push({ name: Buffer.from(entry.name), target: Buffer.from(entry.target) })
    await drain(body)
  }
  const charset = guessCharset(foreign)
  return { charset, linked: filesOf(links, (bytes) => safeName(decoder({ charset })(bytes), rules.backslashes)) }
}

/** The files that links point to, directly or through other links. */
function filesOf(links: readonly Pick<Entry, 'name' | 'target'>[], text: (bytes: Buffer) => string): Set<string> {
  const behind = new Map<string, string>()
  for (const { name, target } of links) {
    const to = text(target)
    behind.set(text(name), behind.get(to) ?? to)
  }
  return new Set(behind.values())
}
