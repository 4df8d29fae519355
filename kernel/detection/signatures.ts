import type { Signature, Source, Verdict } from '../contract/format.ts'

/** A synchronous look, which needs only the head. */
type Glance = (file: Source) => Verdict | undefined

type Table = readonly (readonly [Signature, Verdict])[]

/** Makes a look from signatures. The first match in the table wins. */
export function bySignatures(table: Table): Glance {
  const rows = table.map(([signature, verdict]) => ({ test: testOf(signature), verdict }))
  return ({ head }) => {
    const start = head.toString('latin1', 0, 64)
    return rows.find(({ test }) => test(start, head))?.verdict
  }
}

function testOf(signature: Signature): (start: string, head: Buffer) => boolean {
  if (signature instanceof RegExp) return (start) => signature.test(start)
  const { bytes, at } = typeof signature === 'string' ? { bytes: signature, at: 0 } : signature
  if (at + bytes.length <= 64) return (start) => start.startsWith(bytes, at)
  return (_, head) => head.toString('latin1', at, at + bytes.length) === bytes
}

/** Makes a look from patterns for the beginning of a text. The first match in the table wins. */
export const byMarks =
  (table: readonly (readonly [RegExp, Verdict])[]): Glance =>
  ({ text }) =>
    text && table.find(([mark]) => mark.test(text.body))?.[1]
