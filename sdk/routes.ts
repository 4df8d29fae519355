import type { Job, Plugin, Route } from '../kernel/contract.ts'
import type { Finding } from './conformance.ts'
import { attempt, flatten, jobOf } from './job.ts'

/** Arguments are pure, whole, and name input and output. */
export function routeFindings(plugin: Plugin): Finding[] {
  return plugin.routes.map((route, index) => ({
    check: `routes[${index}]: ${nameOf(route)}`,
    faults: [...new Set(faultsOf(plugin, route, `routes[${index}]`))],
  }))
}

function nameOf(route: Route): string {
  const pairs = 'transform' in route ? route.transform.join(' ') : `${route.from.join(' ')} to ${route.to.join(' ')}`
  return `${pairs} ${'via' in route ? `via ${route.via}` : `by ${route.engine.name}`}`.slice(0, 120)
}

function faultsOf(plugin: Plugin, route: Route, path: string): readonly string[] {
  const targets = 'transform' in route ? route.transform : route.to
  const sources = 'transform' in route ? route.transform : route.from
  if ('via' in route) {
    const stays = [...sources, ...targets].includes(route.via) && sources.length === 1
    return stays ? [`${path}.via: a detour goes by a third format, not by ${route.via}`] : []
  }
  if (!('args' in route)) return []
  return targets.flatMap((to) => {
    const from = 'transform' in route ? to : (sources.find((source) => source !== to) ?? to)
    const job = jobOf(plugin, from, to)
    const before = JSON.stringify(job)
    const args = attempt(`${path}.args for ${to}`, () => {
      const args = flatten(route.args(job))
      return [
        ...(same(flatten(route.args(job)), args) ? [] : [`${path}.args for ${to} change from call to call`]),
        ...(JSON.stringify(job) === before ? [] : [`${path}.args for ${to} change the job`]),
        ...unsound(args, `${path}.args for ${to}`),
      ]
    })
    if (args.length > 0) return args
    const { name } = route.engine
    return attempt(`${name}.argv for ${to}`, () => {
      const args = flatten(route.args(job))
      const framed = flatten(route.engine.argv(job, args))
      return [
        ...(same(flatten(route.engine.argv(job, args)), framed)
          ? []
          : [`${name}.argv for ${to} changes from call to call`]),
        ...unsound(framed, `${name}.argv for ${to}`),
        ...unnamed(framed, job, `${name}.argv for ${to}`),
      ]
    })
  })
}

const same = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b)

/** What a forgotten option looks like once it is a word of a command line. */
function unsound(args: readonly string[], what: string): string[] {
  return args.flatMap((arg) => {
    if (/\b(undefined|NaN|\[object )/.test(arg)) return [`${what} holds a missing value: ${JSON.stringify(arg)}`]
    return arg.includes('\0') ? [`${what} holds a NUL, which no command line can`] : []
  })
}

/**
 * Engines that read a whole folder or write one are told so by its path. One whose program writes to standard output is
 * started with the output's path by another word, such as a shell's.
 */
function unnamed(args: readonly string[], job: Job, what: string): string[] {
  const outputs = [job.output, job.pages, job.scratch, '/out']
  return [
    ...(args.some((arg) => arg.includes(job.input)) ? [] : [`${what} does not name the input (job.input)`]),
    ...(args.some((arg) => outputs.some((output) => arg.includes(output)))
      ? []
      : [`${what} does not name the output (job.output)`]),
  ]
}
