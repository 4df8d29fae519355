/**
 * The work of engines on a conversion: what is found out while it runs (`Work`), and what of it is stored when it ends,
 * for operators (the trail: each run) and for its owner (the summary, which the report shows).
 */
import { LOSSES } from '../catalogue/manifest/losses.ts'
import type { Engine, Facts, Job, LossKind, Measures, Plugin } from '../contract.ts'
import type { Database } from '../database/database.ts'
import type { Ending } from '../database/tables/conversion-claims.ts'
import { findReport, findTrail, recordTrail } from '../database/tables/trails.ts'
import type { RunAccount } from '../sandbox/process/account.ts'
import { printable, sanitise } from '../sandbox/process/reason.ts'
import { holds } from './steps.ts'

/** Limits of a trail: number of last runs; characters of each run's arguments and of each output line. */
const TRAIL = { runs: 16, arguments: 4096, line: 300 }

/** Limits of what plugins and files can make a summary hold: engines; names of each kind of loss; their characters. */
const SUMMARY = { engines: 32, names: 16, name: 80 }

/** An engine that ran. */
export interface UsedEngine {
  name: string
  /** As it reported at the start of the service. */
  version: string | null
  /** The Debian package that it comes from; null: it comes with the service. */
  package: string | null
}

/** One leg of a conversion, and what its steps found. */
export interface FoundLeg {
  plugin: Plugin
  job: Pick<Job, 'from' | 'to' | 'options'>
  facts: Facts
}

/** What is found out while a file is converted, for the report. */
export interface WorkFindings {
  /** By name, in the order of first runs. */
  engines: Map<string, UsedEngine>
  /** The legs of the last route that was tried, in order. A last leg that ran for each page is there as often. */
  legs: Map<string, FoundLeg>
  /** SHA-256 of the result in hexadecimal, if the service read it. */
  sha256?: string | undefined
}

/** The work on a conversion. */
export interface Work {
  /** The runs of engines so far, oldest first. */
  readonly runs: readonly RunAccount[]
  readonly findings: WorkFindings
}

export const createFindings = (): WorkFindings => ({ engines: new Map(), legs: new Map() })

/** Notes that an engine runs. */
export function noteEngine(
  { engines }: WorkFindings,
  { name, package: from }: Engine,
  version: string | undefined,
): void {
  if (!engines.has(name)) engines.set(name, { name, version: version ?? null, package: from ?? null })
}

/** Stores the work on a conversion, in the transaction that ends it, for as long as its record exists. */
export const recordWork = (transaction: Database, conversion: string, status: EndStatus, work: Work): Promise<void> =>
  recordTrail(transaction, {
    conversion,
    runs: JSON.stringify(work.runs.slice(-TRAIL.runs).map(bounded)),
    report: JSON.stringify(summarise(work, status)),
  })

/** Reads the engine runs of a conversion, oldest first; undefined: nothing ran, or no runs were stored. */
export async function readTrail(database: Database, id: string): Promise<RunAccount[] | undefined> {
  const runs = await findTrail(database, id)
  return runs === undefined ? undefined : JSON.parse(runs)
}

/** Reads what the report of a conversion says of the work on it; undefined: nothing ran, or it was not stored. */
export async function readSummary(database: Database, id: string): Promise<Summary | undefined> {
  const report = await findReport(database, id)
  return report ? JSON.parse(report) : undefined
}

/** Makes lines safe to print on an operator's terminal. */
export const legible = (lines: readonly string[]): string[] =>
  lines.map((line) => printable(line).trim().slice(0, TRAIL.line)).filter(Boolean)

function bounded({ args, said, ...run }: RunAccount): RunAccount {
  let left = TRAIL.arguments
  const kept = args.map((arg) => printable(arg)).filter((arg) => (left -= arg.length + 1) >= 0)
  return { ...run, args: kept.length < args.length ? [...kept, '…'] : kept, said: legible(said) }
}

type EndStatus = Ending['status']

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

/** Sums up the work on a conversion. Calls functions of plugins, whose faults change nothing else. */
export function summarise({ runs, findings }: Work, status: EndStatus): Summary {
  const legs = [...findings.legs.values()]
  const { sha256 } = findings
  const isDone = status === 'completed'
  return {
    engines: [...findings.engines.values()].slice(0, SUMMARY.engines),
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
      names.set(kind, new Set([...(names.get(kind) ?? []), ...lost].slice(0, SUMMARY.names)))
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
          .slice(0, SUMMARY.names)
          .map((name) => sanitise(name).slice(0, SUMMARY.name))
        if (lost.length > 0) yield [kind, lost]
      } catch {} // what cannot be named is not claimed
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
