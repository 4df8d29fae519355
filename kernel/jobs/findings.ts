import type { Engine, Facts, Job, Plugin } from '../contract.ts'
import type { RunAccount } from '../sandbox/process/account.ts'

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
