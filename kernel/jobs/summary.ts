import { LOSSES } from '../catalogue/manifest/losses.ts'
import type { LossKind, Measures } from '../contract.ts'
import type { Ending } from '../database/tables/conversion-claims.ts'
import { sanitise } from '../sandbox/process/reason.ts'
import type { FoundLeg, UsedEngine, Work } from './findings.ts'
import { holds } from './steps.ts'

export type EndStatus = Ending['status']

/** Something that a conversion dropped or replaced. */
interface FoundLoss {
  kind: LossKind
  /** What exactly. Empty: it has no name. */
  names: string[]
}

/** What the report of an ended conversion says of the work on it. It is stored with the record. */
export interface Summary {
  engines: UsedEngine[]
  /** Seconds of CPU, seconds of wall time, and peak bytes of the largest run: lower bounds, from samples. */
  cpu: number
  wall: number
  memory: number
  source: Measures
  result: Measures & { sha256?: string }
  losses: FoundLoss[]
}

/** Limits of what plugins and files can make a summary hold: engines; names of each kind of loss; their characters. */
const KEPT = { engines: 32, names: 16, name: 80 }

/** Sums up the work on a conversion. Calls functions of plugins, whose faults change nothing else. */
export function summarise({ runs, findings }: Work, status: EndStatus): Summary {
  const legs = [...findings.legs.values()]
  const { sha256 } = findings
  const isDone = status === 'completed'
  return {
    engines: [...findings.engines.values()].slice(0, KEPT.engines),
    cpu: rounded(runs.reduce((sum, { cpu }) => sum + cpu, 0)),
    wall: rounded(runs.reduce((sum, { ms }) => sum + ms, 0) / 1000),
    memory: runs.reduce((max, { memory }) => Math.max(max, memory), 0),
    source: measures(legs[0]?.facts.source),
    result: isDone ? { ...measures(resultOf(legs)), ...(sha256 && { sha256 }) } : {},
    losses: isDone ? lossesOf(legs) : [],
  }
}

/** What is known of the result. The last leg of a detour may have run for each page. */
function resultOf(legs: readonly FoundLeg[]): Measures | undefined {
  const last = legs.at(-1)
  const pages = legs.filter(({ job }) => job.to === last?.job.to).length
  return pages > 1 ? { pages } : last?.facts.result
}

/** Numbers of a plugin, as far as they are numbers. */
function measures(found: Measures | undefined): Measures {
  const keys = ['pages', 'frames', 'seconds', 'width', 'height'] as const
  const known = keys.flatMap((key) => {
    const value: unknown = found?.[key]
    return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? [[key, rounded(value)]] : []
  })
  return Object.fromEntries(known) as Measures
}

function lossesOf(legs: readonly FoundLeg[]): FoundLoss[] {
  const names = new Map<LossKind, Set<string>>()
  for (const leg of legs)
    for (const [kind, lost] of lossesOfLeg(leg))
      names.set(kind, new Set([...(names.get(kind) ?? []), ...lost].slice(0, KEPT.names)))
  const kinds = Object.keys(LOSSES) as LossKind[]
  return kinds.flatMap((kind) => {
    const lost = names.get(kind)
    return lost ? { kind, names: [...lost] } : []
  })
}

function* lossesOfLeg({ plugin, job, facts }: FoundLeg): Generator<[kind: LossKind, names: string[]]> {
  for (const { kind, when, names } of plugin.losses ?? []) {
    if (!holds(when, job, facts, [])) continue
    if (!names) yield [kind, []]
    else
      try {
        const lost = names(facts, job)
          .slice(0, KEPT.names)
          .map((name) => sanitise(name).slice(0, KEPT.name))
        if (lost.length > 0) yield [kind, lost]
      } catch {} // what cannot be named is not claimed
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
