import type { Catalogue } from '../catalogue/catalogue.ts'
import { type DirectRoute, isDirect, leaderOf, stepsOf, unrunJob, unrunState } from '../catalogue/manifest/route.ts'
import type { OptionsValidator } from '../catalogue/options.ts'
import type { Pair, UsableRoute } from '../catalogue/pairs.ts'
import type { Condition, Job, Step } from '../contract.ts'
import { flatten } from '../kit.ts'
import { placeOf } from './steps.ts'

/** One run of an engine, or a step that decides at run time which engines run. */
export interface ExplainedStep {
  engine: string
  /** Whether the step decides at run time. If so, there is no command. */
  decides: boolean
  /** Other engines that the step may run. */
  uses: string[]
  /** The conditions under which the step runs, in words; undefined: it always runs. */
  when: string | undefined
  /** `each`: runs once for each page. `optional`: if it refuses the file, the conversion continues. */
  each: boolean
  optional: boolean
  /** The engine's arguments with default options; undefined if they depend on the findings of an earlier step. */
  command: string[] | undefined
}

/** One route for a pair. A detour has two legs. */
export interface ExplainedWay {
  via: string | undefined
  legs: { from: string; to: string; engine: string; steps: ExplainedStep[] }[]
}

/** Lists what would run for a pair, preferred route first. Starts no program. */
export function explainPair(
  catalogue: Pick<Catalogue, 'pairs'>,
  { complete }: Pick<OptionsValidator, 'complete'>,
  pair: Pair,
): ExplainedWay[] {
  return pair.methods.map((method) => {
    if (isDirect(method.route)) return { via: undefined, legs: [legOf(pair.from, pair.to, method)] }
    const { via } = method.route
    return { via, legs: [first(pair.from, via), first(via, pair.to)].flatMap((leg) => leg ?? []) }
  })

  function first(from: string, to: string) {
    const method = catalogue.pairs.get(`${from}>${to}`)?.methods.find(({ route }) => isDirect(route))
    return method && legOf(from, to, method)
  }

  function legOf(from: string, to: string, { route, plugin }: UsableRoute) {
    const intent = from === to ? 'transform' : 'convert'
    const job = unrunJob({ from, to, options: complete(plugin, to, intent, {}) })
    const engine = leaderOf(route as DirectRoute).name
    return { from, to, engine, steps: explainSteps(stepsOf(route as DirectRoute), job) }
  }
}

function explainSteps(steps: readonly Step[], job: Job): ExplainedStep[] {
  const written = new Map<string, true | undefined>()
  const possible = steps.flatMap((step) => {
    const runs = holdsBeforehand(step.when, job, written)
    if (runs === false) return []
    if (step.output) written.set(step.output, written.get(step.output) || (runs && !step.optional) || undefined)
    return [{ step, runs }]
  })
  let latest = job.input
  return possible.map(({ step, runs }, index) => {
    const follows = possible.slice(index + 1).some((later) => later.step.output !== false)
    const input = step.input === undefined ? latest : placeOf(step.input, job)
    const output = step.output === false ? input : follows ? placeOf(step.output, job) : job.output
    if (step.output !== false) latest = output
    return {
      engine: step.engine.name,
      decides: 'convert' in step,
      uses: 'convert' in step ? (step.uses ?? []).map(({ name }) => name) : [],
      when: runs ? undefined : inWords(step.when),
      each: step.each === 'page',
      optional: step.optional === true,
      command: 'convert' in step ? undefined : commandOf(step, job, input, output),
    }
  })
}

function commandOf(step: Exclude<Step, { convert: unknown }>, job: Job, input: string, output: string) {
  try {
    const args = flatten(step.args?.(job, unrunState({ input, output })) ?? [])
    const command = flatten(step.engine.argv({ ...job, input, output }, args))
    return command.some((argument) => /\b(undefined|NaN)\b/.test(argument)) ? undefined : command
  } catch {
    return undefined // it needs the findings of an earlier step
  }
}

/**
 * Whether a condition holds, as far as is known before anything runs; undefined: it depends on the findings of a step
 * or on the options.
 *
 * @param written Outputs of earlier steps that may run; true if the output will certainly exist.
 */
function holdsBeforehand(
  when: Condition | undefined,
  job: Job,
  written: ReadonlyMap<string, true | undefined>,
): boolean | undefined {
  if (!when) return true
  const not = when.not && holdsBeforehand(when.not, job, written)
  const parts = [
    when.from?.includes(job.from) ?? true,
    when.to?.includes(job.to) ?? true,
    ...[when.options, when.pages, when.moving, when.more].map((part) => part === undefined || undefined),
    when.written === undefined || (written.has(when.written) ? written.get(when.written) : false),
    when.not === undefined || (not === undefined ? undefined : !not),
  ]
  return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true
}

function inWords(when: Condition | undefined): string | undefined {
  if (!when) return undefined
  const options = Object.entries(when.options ?? {}).map(([key, values]) => `options.${key} is ${anyOf(values)}`)
  const more = Object.entries(when.more ?? {}).map(([name, values]) => `${name} is ${anyOf(values)}`)
  const parts = [
    ...options,
    ...(when.pages ? [`the source has ${when.pages === 'one' ? 'one page' : 'several pages'}`] : []),
    ...(when.moving === undefined ? [] : [`the source ${when.moving ? 'is' : 'is not'} an animation`]),
    ...more,
  ]
  if (when.written) parts.push(`${when.written} was written`)
  const not = inWords(when.not)
  return [...parts, ...(not ? [`not (${not})`] : [])].join(' and ') || undefined
}

const anyOf = (values: readonly unknown[] = []) =>
  values.map((value) => (value === undefined ? 'not given' : JSON.stringify(value))).join(' or ')
