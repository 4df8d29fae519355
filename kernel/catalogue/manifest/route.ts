import type { Engine, Facts, Job, Plugin, Route, Step, StepState } from '../../contract.ts'

/** A route that runs engines itself, unlike a detour. */
export type DirectRoute = Exclude<Route, { via: string }>

export const isDirect = (route: Route): route is DirectRoute => !('via' in route)

/** Returns the engine that represents a route: the catalogue shows it, and `prefer` ranks by it. */
export const leaderOf = (route: DirectRoute): Engine =>
  'steps' in route ? (route.engine ?? firstOf(route.steps).engine) : route.engine

function firstOf(steps: readonly Step[]): Step {
  const [first] = steps
  // The manifest was checked: a route has steps.
  if (!first) throw new Error('a route without steps')
  return first
}

/** Returns every engine that a route may run, its leader first; none for a detour, whose legs are separate routes. */
export function enginesOfRoute(route: Route): Engine[] {
  if (!isDirect(route)) return []
  const stepped = stepsOf(route).flatMap((step) => [step.engine, ...(step.uses ?? [])])
  return [...new Set([leaderOf(route), ...stepped])]
}

/** Returns a route's steps. A route with `args` or `convert` becomes a single step. */
export function stepsOf(route: DirectRoute): readonly Step[] {
  if ('steps' in route) return route.steps
  const { engine } = route
  if ('args' in route) return [{ engine, args: (job) => route.args(job) }]
  return [
    {
      engine,
      ...(route.uses && { uses: route.uses }),
      convert: async (job, run) => void (await route.convert(job, run)),
    },
  ]
}

/** Returns the features that the builds of a route's engines must list. */
export function needsOf(route: DirectRoute): { engine: Engine; features: readonly string[] }[] {
  const steps = 'steps' in route ? route.steps : []
  return [{ engine: leaderOf(route), needs: route.needs }, ...steps].map(({ engine, needs }) => ({
    engine,
    features: needs ?? [],
  }))
}

/** The facts before the first step runs. */
export const NOTHING_KNOWN: Facts = { pages: [{}], moving: false }

/** A job as the sandbox would run it, to ask a route what it does without running anything. */
export const unrunJob = ({ from, to, options }: Pick<Job, 'from' | 'to' | 'options'>): Job => ({
  from,
  to,
  intent: from === to ? 'transform' : 'convert',
  options,
  input: `/in/file.${from}`,
  output: `/out/file.${to}`,
  pages: '/out/pages.zip',
  scratch: '/scratch',
  name: 'file',
  size: 1_000,
  signal: new AbortController().signal,
})

/** What a step knows if nothing has run yet, to ask for its arguments without running anything. */
export const unrunState = ({ input, output }: Pick<Job, 'input' | 'output'>): StepState => ({
  input,
  output,
  inputs: [input],
  facts: NOTHING_KNOWN,
  page: {},
  number: 1,
})

/** Every engine that the plugins' routes may run. */
export const enginesOf = (plugins: readonly Plugin[]): Set<Engine> =>
  new Set(plugins.flatMap(({ routes }) => routes.flatMap(enginesOfRoute)))
