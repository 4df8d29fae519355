import { NOTHING_KNOWN } from '../catalogue/manifest/route.ts'
import type { Args, Condition, Engine, Facts, Job, Run, Step, StepState } from '../contract.ts'
import { ConversionFailure } from '../errors.ts'
import { callHook, type HookFault, type HookOrigin, startHook } from '../hooks.ts'
import { folderOfOutput, isRefusal } from '../kit.ts'
import { asFailure } from './failure.ts'

/** Ends the work on a light job before a step that needs a heavy place. No client sees it: the job waits again. */
export class NeedsHeavy extends ConversionFailure {
  override name = 'NeedsHeavy'

  constructor() {
    super('INTERNAL_SERVER_ERROR', 'The conversion needs a heavy place')
  }
}

/** Runs engines for the steps of one job. */
interface StepHost {
  /** Whether the job has only a light place. Default: false. */
  light?: boolean
  /** The category of the plugin, for the log. */
  plugin: string
  /** Runs an engine in the job's sandbox. `files` replace the job's own. */
  run: (job: Job, engine: Engine, args: Args, files: Parameters<Run>[2]) => Promise<string[]>
  /** Receives what the steps have found so far, after each of them. */
  found?: (facts: Facts) => void
  /** Makes a folder in the job's scratch folder. Succeeds if it already exists. */
  makeFolder: (name: string) => Promise<void>
}

/** Marks an optional step whose engine refused the file. */
const REFUSED = Symbol('refused')

/** Placeholder for the page number in file names. */
const NUMBER = '%03d'

/**
 * Runs the steps of a route in order. Rejects with the error of a step, unless the step is optional and refused the
 * file. Rejects with NeedsHeavy before a heavy step of a light job, and with an Error if the steps do not fit together.
 */
export async function runSteps(steps: readonly Step[], job: Job, host: StepHost): Promise<void> {
  let facts = NOTHING_KNOWN
  let written: readonly string[] = []
  let latest = job.input
  for (const [index, step] of steps.entries()) {
    if (!holds(step.when, job, facts, written)) continue
    if (host.light && step.heavy && holds(step.heavy, job, facts, written)) throw new NeedsHeavy()
    // The outputs if this step succeeds. A step that replaces it on failure then does not follow.
    const after = step.output ? [...written, step.output] : written
    const follows = steps.slice(index + 1).some((one) => one.output !== false && holds(one.when, job, facts, after))
    const from = step.input === undefined ? latest : placeOf(step.input, job)
    const to = step.output === false ? from : follows ? placeOf(step.output, job) : job.output
    const folder = step.output && follows ? folderOfOutput(step.output) : undefined
    if (folder) await host.makeFolder(folder)
    const found = await runStep(step, job, { facts, from, to }, host)
    if (found === REFUSED) continue
    facts = found
    host.found?.(facts)
    written = after
    // Later steps read the file of a single page like any other file.
    if (step.output !== false) latest = step.each && facts.pages.length === 1 ? numbered(to, 1) : to
  }
}

/** Whether a condition holds for a job, given the facts and outputs so far. */
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
    more.every(([name, values]) => values?.includes(facts.more?.[name]) ?? true) &&
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
    // A step that runs once gets the path with the placeholder, for all pages.
    const [input, output] = step.each ? [numbered(from, number), numbered(to, number)] : [from, to]
    const now = { input, output, inputs, facts: found, page, number }
    const fresh = await runOnPage(step, job, now, host)
    if (fresh === REFUSED) return REFUSED
    found = withFresh(found, fresh)
  }
  return found
}

/** What is known after a step: what steps share, and what is known of the files, adds up. */
function withFresh(facts: Facts, fresh: Partial<Facts> | undefined): Facts {
  const { more, source, result } = fresh ?? {}
  return {
    ...facts,
    ...fresh,
    ...(more && { more: { ...facts.more, ...more } }),
    ...(source && { source: { ...facts.source, ...source } }),
    ...(result && { result: { ...facts.result, ...result } }),
  }
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
      if (step.optional && isRefusal(failure)) return REFUSED
      throw failure
    })
  if ('convert' in step) {
    const run: StepHost['run'] = (job, engine, args, more) => host.run(job, engine, args, { ...files, ...more })
    return unlessRefused(callConvert((job, run) => step.convert(job, run, now), job, origin(hook), run))
  }
  const args = callPure(origin(hook), () => step.args?.(job, now) ?? [])
  const lines = await unlessRefused(host.run(job, step.engine, args, files))
  if (lines === REFUSED) return REFUSED
  return callPure(origin('facts'), () => step.facts?.(lines, job, now))
}

/** Like `callHook`, but errors that the plugin throws on purpose keep their code, as with `convert`. */
function callPure<T>(origin: HookOrigin, call: () => T): T {
  try {
    return callHook(origin, call)
  } catch (fault) {
    throw asFailure((fault as HookFault).cause, origin)
  }
}

const numbered = (path: string, number: number) => path.replace(NUMBER, `${number}`.padStart(3, '0'))

/** Sandbox path of the file that a step calls `name`. @throws Error if a step needs a name and has none. */
export function placeOf(name: string | false | undefined, job: Job): string {
  if (name === 'source') return job.input
  if (!name) throw new Error('a step that another one follows names no output')
  const file = name.replace('{from}', job.from).replace('{to}', job.to)
  return `${job.scratch}/${file.replace(/\/$/, '')}`
}

/**
 * Calls a step's `convert`. Resolves to its answer after it and all the runs that it started have ended. Rejects with
 * what it throws or with the job's abort reason. An error in a timer or a detached promise of the hook stops its runs
 * and rejects with HookFault.
 *
 * @param run Runs an engine for the job, until the signal aborts.
 */
async function callConvert<Answer>(
  convert: (job: Job, run: Run) => Promise<Answer>,
  job: Job,
  origin: HookOrigin,
  run: (job: Job, engine: Engine, args: Args, files: Parameters<Run>[2]) => Promise<string[]>,
): Promise<Answer> {
  const stray = new AbortController()
  const own: Job = { ...job, signal: AbortSignal.any([job.signal, stray.signal]) }
  const runs: Promise<unknown>[] = []
  const start: Run = (engine, args, files) => {
    const running = run(own, engine, args, files)
    // If the hook does not await a run, its rejection must not become an unhandled error of the service.
    runs.push(running.catch(() => {}))
    return running
  }
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(own.signal.reason)
  own.signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([
      startHook(
        origin,
        (fault) => stray.abort(fault),
        () => convert(own, start),
      ),
      stopped.promise,
    ])
  } catch (error) {
    stray.abort(error)
    throw error
  } finally {
    own.signal.removeEventListener('abort', stop)
    await Promise.all(runs)
  }
}
