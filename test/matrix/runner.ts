import { parseArgs } from 'node:util'
import PQueue from 'p-queue'
import type { Test } from 'tap'
import { enginesOfRoute } from '../../kernel/catalogue/manifest/route.ts'
import type { Pair } from '../../kernel/catalogue/pairs.ts'
import { type Machine, startMachine } from '../harness/machine.ts'
import { openState } from './state.ts'

/** Returns an error in one line, with the program's output for debugging. */
export function reasonOf(error: unknown): string {
  const { code, message, stderr, cause } = error as Error & { code?: unknown; stderr?: unknown }
  const parts = [code, message, stderr, cause instanceof Error && cause.message].filter(Boolean).map(String)
  return parts.join(': ').replace(/\s+/g, ' ').slice(0, 400)
}

/** One conversion to try. */
interface Case {
  key: string
  pair: Pair
}

/** Whether a pair is about the plugin or engine to which a run of the tests is limited: see `test/run/test.ts`. */
function isWanted({ plugin, methods }: Pair): boolean {
  const only = process.env.TESTS_ONLY
  if (!only || plugin.category === only) return true
  const names = methods.flatMap(({ route }) => enginesOfRoute(route)).map(({ name }) => name)
  return names.some((name) => name === only || name.startsWith(`${only}-`))
}

/** How it ended. */
export interface Result {
  key: string
  engine: string
  passed: boolean
  /** What differs, or why there is no result. */
  complaints: readonly string[]
}

/** Tries one conversion. Never rejects. */
export type Try<One> = (machine: Machine, one: One) => Promise<Result>

/** Tries cases, two at the same time, and asserts that each passes. */
export async function assertAll<One extends Case>(
  t: Test,
  machine: Machine,
  cases: readonly One[],
  tryCase: Try<One>,
): Promise<void> {
  const wanted = cases.filter(({ pair }) => isWanted(pair))
  if (wanted.length === 0) t.pass(`no case is about ${process.env.TESTS_ONLY}`)
  const queue = new PQueue({ concurrency: 2 })
  await queue.addAll(
    wanted.map((one) => async () => {
      const { key, engine, passed, complaints } = await tryCase(machine, one)
      t.ok(passed, `${key} by ${engine}`, { complaints })
    }),
  )
}

/** What a program of its own needs. */
interface Proof<One> {
  /** Name of the folder of the results in the cache. */
  name: string
  /** Folders, besides those of the matrix, that can affect a result. */
  others?: readonly string[]
  /** Selects the cases. `has` tells a flag, `lists` whether an option is missing or lists a name. */
  cases: (machine: Machine, has: (flag: string) => boolean, lists: Lists) => readonly One[] | Promise<readonly One[]>
  tryCase: Try<One>
  known?: Readonly<Record<string, string>>
}
type Lists = (option: string, name: string) => boolean

/**
 * Program that tries cases and continues a stopped run. Returns all outcomes; exits with 1 if one fails that is not
 * known.
 */
export async function run<One extends Case>(proof: Proof<One>) {
  const { name, others = [], tryCase, known = {} } = proof
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: { from: text, to: text, family: text, jobs: text, 'only-failed': flag, covering: flag, fresh: flag },
  })
  const lists: Lists = (option, one) => {
    const list = values[option as 'from']
    return !list || list.split(',').includes(one)
  }
  const state = openState<Result>({ fresh: values.fresh, name, others })
  await using machine = await startMachine()
  const all = await proof.cases(machine, (one) => values[one as 'covering'], lists)
  const wanted = all.filter(({ pair }) => lists('from', pair.from) && lists('to', pair.to))
  const due = wanted.filter(({ key }) => {
    const before = state.outcomes.get(key)
    return values['only-failed'] ? before && !before.passed : !before?.passed
  })
  console.log(`${wanted.length} cases, ${wanted.length - due.length} known already`)

  const queue = new PQueue({ concurrency: Number(values.jobs ?? 2) })
  let done = 0
  await queue.addAll(
    due.map((one) => async () => {
      const outcome = await tryCase(machine, one)
      const { key, engine, passed, complaints } = outcome
      state.add(outcome)
      done++
      if (!passed) console.log(`${done}/${due.length} ${key} by ${engine}: ${complaints.join('; ')}`)
      else if (done % 100 === 0) console.log(`${done}/${due.length}`)
    }),
  )
  const outcomes = wanted.flatMap(({ key }) => state.outcomes.get(key) ?? [])
  const failed = outcomes.filter(({ passed }) => !passed).map(({ key }) => key)
  for (const key of failed) console.log(`${key in known ? 'KNOWN' : 'FAILED'} ${key}`)
  console.log(`${outcomes.length - failed.length} of ${outcomes.length} passed`)
  if (failed.some((key) => !(key in known))) process.exitCode = 1
  return { outcomes, catalogue: machine.catalogue }
}
