import { isDirect, leaderOf, stepsOf, unrunState } from '../kernel/catalogue/manifest/route.ts'
import type { Job, Plugin, Route, Step } from '../kernel/contract.ts'
import { flatten } from '../kernel/kit.ts'
import { attempt, type Finding, jobOf } from './job.ts'

/** Arguments are pure and complete, and contain input and output. */
export function routeFindings(plugin: Plugin): Finding[] {
  return plugin.routes.map((route, index) => ({
    check: `routes[${index}]: ${nameOf(route)}`,
    faults: [...new Set(faultsOf(plugin, route, `routes[${index}]`))],
  }))
}

function nameOf(route: Route): string {
  const pairs = 'transform' in route ? route.transform.join(' ') : `${route.from.join(' ')} to ${route.to.join(' ')}`
  return `${pairs} ${isDirect(route) ? `by ${leaderOf(route).name}` : `via ${route.via}`}`.slice(0, 120)
}

function faultsOf(plugin: Plugin, route: Route, path: string): readonly string[] {
  const targets = 'transform' in route ? route.transform : route.to
  const sources = 'transform' in route ? route.transform : route.from
  if (!isDirect(route)) {
    const stays = [...sources, ...targets].includes(route.via) && sources.length === 1
    return stays ? [`${path}.via: a detour goes by a third format, not by ${route.via}`] : []
  }
  return targets.flatMap((to) => {
    const from = 'transform' in route ? to : (sources.find((source) => source !== to) ?? to)
    const job = jobOf(plugin, from, to)
    const steps = stepsOf(route)
    return steps.flatMap((step, at) => {
      const where = 'steps' in route ? `${path}.steps[${at}]` : path
      if ('convert' in step) return []
      const told = steps.slice(0, at).some((before) => 'convert' in before || before.facts)
      return stepFaults(step, job, where, told)
    })
  })
}

type PureStep = Exclude<Step, { convert: unknown }>

/** @param told Whether it uses facts of earlier steps, which only running them can tell. */
function stepFaults(step: PureStep, job: Job, path: string, told: boolean): readonly string[] {
  const { to } = job
  const now = unrunState(job)
  const argsOf = () => flatten(step.args?.(job, now) ?? [])
  const before = JSON.stringify(job)
  const faults = attempt(`${path}.args for ${to}`, () => {
    const args = argsOf()
    return [
      ...(same(argsOf(), args) ? [] : [`${path}.args for ${to} change from call to call`]),
      ...(JSON.stringify(job) === before ? [] : [`${path}.args for ${to} change the job`]),
      ...(told ? [] : unsound(args, `${path}.args for ${to}`)),
    ]
  })
  if (faults.length > 0) return told ? faults.filter((fault) => !fault.includes(' threw: ')) : faults
  const { name, argv } = step.engine
  return attempt(`${name}.argv for ${to}`, () => {
    const framed = flatten(argv(job, argsOf()))
    return [
      ...(same(flatten(argv(job, argsOf())), framed) ? [] : [`${name}.argv for ${to} changes from call to call`]),
      ...(told ? [] : unsound(framed, `${name}.argv for ${to}`)),
      ...unnamed(framed, job, `${name}.argv for ${to}`, step.output === false),
    ]
  })
}

const same = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b)

/** A missing option, as it appears in a command line. */
function unsound(args: readonly string[], what: string): string[] {
  return args.flatMap((arg) => {
    if (/\b(undefined|NaN|\[object )/.test(arg)) return [`${what} holds a missing value: ${JSON.stringify(arg)}`]
    return arg.includes('\0') ? [`${what} holds a NUL, which no command line can`] : []
  })
}

/**
 * Engines that read or write a whole folder get its path. If a program writes to standard output, a shell or the like
 * gets the path of the output.
 *
 * @param silent Whether the step writes no new file. It may change a file of an earlier step.
 */
function unnamed(args: readonly string[], job: Job, what: string, silent: boolean): string[] {
  const outputs = [job.output, job.pages, job.scratch, '/out']
  return [
    ...(args.some((arg) => arg.includes(job.input) || (silent && arg.includes(job.scratch)))
      ? []
      : [`${what} does not name the input (job.input)`]),
    ...(silent || args.some((arg) => outputs.some((output) => arg.includes(output)))
      ? []
      : [`${what} does not name the output (job.output)`]),
  ]
}
