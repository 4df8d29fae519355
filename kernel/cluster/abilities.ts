import { createHash } from 'node:crypto'
import type { ReportRow } from '../database/tables/nodes.ts'

/** What nodes can convert: engines, as the catalogue names them, by pair (`png>webp`). */
export type Abilities = ReadonlyMap<string, string>

/** Targets by source by engine: thousands of pairs in some ten thousand characters. */
type Report = Record<string, Record<string, string[]>>

/** Writes what a node can convert, for the other nodes. */
export function writeReport(tools: readonly { fromFormat: string; toFormat: string; engine: string }[]): ReportRow {
  const report: Report = {}
  for (const { engine, fromFormat, toFormat } of tools) {
    const bySource = (report[engine] ??= {})
    const targets = (bySource[fromFormat] ??= [])
    targets.push(toFormat)
  }
  const abilities = JSON.stringify(report)
  return { abilities, abilities_digest: createHash('sha256').update(abilities).digest('hex').slice(0, 12) }
}

/** Reads what another node wrote. */
export function readReport(abilities: string): Abilities {
  const entries = Object.entries(JSON.parse(abilities) as Report).flatMap(([engine, bySource]) =>
    Object.entries(bySource).flatMap(([from, targets]) =>
      targets.map((to): [string, string] => [`${from}>${to}`, engine]),
    ),
  )
  return new Map(entries)
}

/** Joins what several nodes can convert. For each pair, the engine of the first counts. */
export const unite = (all: readonly Abilities[]): Abilities => new Map(all.toReversed().flatMap((each) => [...each]))
