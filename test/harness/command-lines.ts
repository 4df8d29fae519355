import { isDirect, stepsOf, unrunJob } from '../../kernel/catalogue/manifest/route.ts'
import type { Engine, Facts, Job, Plugin, Step } from '../../kernel/contract.ts'
import { runSteps } from '../../kernel/jobs/steps.ts'
import { flatten } from '../../kernel/kit.ts'

/** What a program prints, or how it refuses the file. */
export type Answer = string | Error

/**
 * Runs steps with answers instead of programs. Returns what would run, each as `engine argument argument…`, without the
 * engine's own frame.
 *
 * @param answers By engine: what it prints, one answer for each run; the last one is repeated.
 * @param light Whether the job has only a light place.
 * @throws what the steps throw
 */
export async function commandLines(
  steps: readonly Step[],
  { from = 'png', to = 'png', options = {} }: Partial<Pick<Job, 'from' | 'to' | 'options'>>,
  answers: Readonly<Record<string, Answer | readonly Answer[]>> = {},
  light = false,
): Promise<string[]> {
  const lines: string[] = []
  const counts = new Map<string, number>()
  await runSteps(steps, unrunJob({ from, to, options }), {
    plugin: 'test',
    light,
    makeFolder: async () => {},
    async run(_, { name }, args) {
      if (name === other.name) return []
      lines.push([name, ...flatten(args)].join(' '))
      const all = [answers[name] ?? ''].flat()
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      const answer = all[Math.min(count, all.length - 1)]!
      if (typeof answer !== 'string') throw answer
      return answer.split('\n')
    },
  })
  return lines
}

const other: Engine = { name: 'another step', binary: [], version: [], argv: () => [] }

/** Steps between others: one before them has found `pages` and `more`, and another one reads their output. */
export const between = (steps: readonly Step[], pages?: Facts['pages'], more: Facts['more'] = {}): Step[] => [
  ...(pages ? [{ engine: other, args: () => [], facts: () => ({ pages, more }), output: 'before-%03d.png' }] : []),
  ...steps,
  { engine: other, args: () => [] },
]

/**
 * What every route of a plugin would run for a pair, such as `png>webp`, best route first: the lines of `commandLines`
 * separated by ` | `, or `via` and the format between. `png>png` optimises.
 */
export function routeLines(
  { routes }: Pick<Plugin, 'routes'>,
  pair: string,
  options: Job['options'] = {},
  answers: Parameters<typeof commandLines>[2] = {},
): Promise<string[]> {
  const [from = '', to = ''] = pair.split('>')
  const all = routes.filter((route) =>
    'transform' in route
      ? from === to && route.transform.includes(to)
      : from !== to && route.from.includes(from) && route.to.includes(to),
  )
  const lines = all.map(async (route) =>
    isDirect(route)
      ? (await commandLines(stepsOf(route), { from, to, options }, answers)).join(' | ')
      : `via ${(route as { via: string }).via}`,
  )
  return Promise.all(lines)
}
