import type { Args, Condition, Engine, Facts, Job, Run, Step, StepState } from '../contract.ts'
import { callHook, type HookFault, type HookOrigin } from '../hooks.ts'
import { callConvert } from './convert-hook.ts'
import { asFailure } from './failure.ts'

/** Where the steps of a job run. */
export interface StepHost {
  /** The category of their plugin, for the log. */
  plugin: string
  /** Runs an engine in the job's sandbox. `files` replace the job's own. */
  run: (job: Job, engine: Engine, args: Args, files: Parameters<Run>[2]) => Promise<string[]>
  /** Makes a folder of that name in the job's scratch folder. It may be there already. */
  makeFolder: (name: string) => Promise<void>
}

/** What is known before the first step has run. */
export const NOTHING_KNOWN: Facts = { pages: [{}], moving: false }

/** What an optional step finds in a file that its engine refuses. */
const REFUSED = Symbol('refused')

/** The number in the names of files of one page each. */
const NUMBER = '%03d'

/**
 * Runs the steps of a route in order. Rejects with what a step rejects with, unless it is optional and refused the
 * file, and with an Error for steps that do not fit together.
 */
export async function runSteps(steps: readonly Step[], job: Job, host: StepHost): Promise<void> {
  let facts = NOTHING_KNOWN
  let written: readonly string[] = []
  let latest = job.input
  for (const [index, step] of steps.entries()) {
    if (!holds(step.when, job, facts, written)) continue
    // What is known if it succeeds: a step that stands in for it does not follow then.
    const after = step.output ? [...written, step.output] : written
    const follows = steps.slice(index + 1).some((one) => one.output !== false && holds(one.when, job, facts, after))
    const from = step.input === undefined ? latest : placeOf(step.input, job)
    const to = step.output === false ? from : follows ? placeOf(step.output, job) : job.output
    const folder = step.output && follows ? /^[^/]+(?=\/)/.exec(step.output)?.[0] : undefined
    if (folder) await host.makeFolder(folder)
    const found = await runStep(step, job, { facts, from, to }, host)
    if (found === REFUSED) continue
    facts = found
    written = after
    // The file of the only page is a file as any other.
    if (step.output !== false) latest = step.each && facts.pages.length === 1 ? numbered(to, 1) : to
  }
}

/** Whether a step runs for a job, by the facts that are known and the outputs that are written so far. */
export function holds(
  when: Condition | undefined,
  job: Pick<Job, 'from' | 'to' | 'options'>,
  facts: Facts,
  written: readonly string[],
): boolean {
  if (!when) return true
  const options = Object.entries(when.options ?? {}) as [string, readonly unknown[]][]
  const more = Object.entries(when.more ?? {})
  return (
    (when.from?.includes(job.from) ?? true) &&
    (when.to?.includes(job.to) ?? true) &&
    options.every(([key, values]) => values.includes(job.options[key])) &&
    (when.pages === undefined || (when.pages === 'several') === facts.pages.length > 1) &&
    (when.moving === undefined || when.moving === facts.moving) &&
    more.every(([name, values]) => values.includes(facts.more?.[name])) &&
    (when.written === undefined || written.includes(when.written)) &&
    (when.not === undefined || !holds(when.not, job, facts, written))
  )
}

async function runStep(
  step: Step,
  job: Job,
  { facts, from, to }: { facts: Facts; from: string; to: string },
  host: StepHost,
): Promise<Facts | typeof REFUSED> {
  let found = facts
  const pages = step.each ? facts.pages : facts.pages.slice(0, 1)
  if (step.each && pages.length > 1 && !to.includes(NUMBER))
    throw new Error(`a step of ${step.engine.name} writes several pages into one file`)
  const inputs = from.includes(NUMBER) ? facts.pages.map((_, index) => numbered(from, index + 1)) : [from]
  for (const [index, page] of pages.entries()) {
    const number = index + 1
    // A step that runs once gets the pages as a whole.
    const [input, output] = step.each ? [numbered(from, number), numbered(to, number)] : [from, to]
    const now = { input, output, inputs, facts: found, page, number }
    const fresh = await runOnPage(step, job, now, host)
    if (fresh === REFUSED) return REFUSED
    found = { ...found, ...fresh, ...(fresh?.more && { more: { ...found.more, ...fresh.more } }) }
  }
  return found
}

async function runOnPage(
  step: Step,
  job: Job,
  now: StepState,
  host: StepHost,
): Promise<Partial<Facts> | undefined | typeof REFUSED> {
  const files = { input: now.input, output: now.output }
  const hook = 'convert' in step ? 'convert' : 'args'
  const origin = (hook: string): HookOrigin => ({ plugin: host.plugin, engine: step.engine.name, hook })
  const unlessRefused = <Answer>(running: Promise<Answer>): Promise<Answer | typeof REFUSED> =>
    running.catch((error) => {
      job.signal.throwIfAborted()
      const failure = asFailure(error, origin(hook))
      if (step.optional && failure.code === 'CONVERSION_ERROR') return REFUSED
      throw failure
    })
  if ('convert' in step) {
    const run: StepHost['run'] = (job, engine, args, more) => host.run(job, engine, args, { ...files, ...more })
    return unlessRefused(callConvert((job, run) => step.convert(job, run, now), job, origin(hook), run))
  }
  const args = step.args ? callPure(origin(hook), () => step.args!(job, now)) : []
  const lines = await unlessRefused(host.run(job, step.engine, args, files))
  if (lines === REFUSED) return REFUSED
  return step.facts && callPure(origin('facts'), () => step.facts!(lines, job, now))
}

/** As `callHook`; what the function throws on purpose stays what it is, as with `convert`. */
function callPure<T>(origin: HookOrigin, call: () => T): T {
  try {
    return callHook(origin, call)
  } catch (fault) {
    throw asFailure((fault as HookFault).cause, origin)
  }
}

const numbered = (path: string, number: number) => path.replace(NUMBER, `${number}`.padStart(3, '0'))

/** The sandbox's own path of what a step calls `name`. */
export function placeOf(name: string | false | undefined, job: Job): string {
  if (name === 'source') return job.input
  if (!name) throw new Error('a step that another one follows names no output')
  const file = name.replace('{from}', job.from).replace('{to}', job.to)
  return `${job.scratch}/${file.replace(/\/$/, '')}`
}
