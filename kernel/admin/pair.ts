import type { Config } from '../../config/config.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { createOptionsValidator } from '../catalogue/options.ts'
import { type ExplainedStep, type ExplainedWay, explainPair } from '../jobs/explain.ts'
import { CommandError } from './command.ts'
import { openTrial } from './trial.ts'
import { becomeOwner } from './unix-user.ts'

/** What `doctor --pair` reports. */
interface PairFindings {
  from: string
  to: string
  category: string
  closed: boolean
  ways: ExplainedWay[]
  /** Why this machine cannot use the other declared routes. */
  obstacles: string[]
}

/**
 * Looks up a pair such as `docx:png`; aliases work too. Starts no conversion.
 *
 * @throws CommandError for an unknown format and a pair that no plugin declares.
 */
export async function examinePair(config: Config, given: string): Promise<PairFindings> {
  const [from = '', to = '', more] = given.split(':')
  if (!from || !to || more !== undefined)
    throw new CommandError(`doctor --pair: "${given}" is not a pair; write it as docx:png.`)
  becomeOwner(config.dataDir)
  await using trial = await openTrial(config)
  const { catalogue, plugins } = await loadCatalogue({ ...config, dataDir: trial.cache }, trial.ask)
  const [source, target] = [from, to].map((name) => {
    const extension = catalogue.canonical(name)
    if (!extension) throw new CommandError(`doctor --pair: no plugin has the format "${name}".`)
    return extension
  }) as [string, string]
  const pair =
    catalogue.pairs.get(`${source}>${target}`) ??
    catalogue.missing.find((missing) => missing.from === source && missing.to === target)
  if (!pair) throw new CommandError(`doctor --pair: no plugin declares ${source} to ${target}.`)
  const options = createOptionsValidator(plugins.map(({ plugin }) => plugin))
  return {
    from: source,
    to: target,
    category: pair.plugin.category,
    closed: pair.closed,
    ways: explainPair(catalogue, options, pair),
    obstacles: [...new Set(pair.obstacles)],
  }
}

/** Renders the findings for a terminal. */
export function renderPair({ from, to, category, closed, ways, obstacles }: PairFindings): string[] {
  const count = ways.length === 1 ? 'one route' : `${ways.length} routes`
  return [
    `${from} to ${to} (${category})${closed ? ', closed' : ''}: ${ways.length ? count : 'not possible on this machine'}`,
    ...ways.flatMap(({ via, legs }, index) => [
      '',
      `${index + 1}. ${via ? `via ${via}` : `by ${legs[0]?.engine}`}`,
      ...legs.flatMap((leg) => [
        ...(via ? [`   ${leg.from} to ${leg.to} by ${leg.engine}`] : []),
        ...leg.steps.map((step) => `   - ${describe(step)}`),
      ]),
    ]),
    ...(obstacles.length ? ['', 'Unavailable routes', ...obstacles.map((reason) => `   - ${reason}`)] : []),
  ]
}

function describe({ engine, decides, uses, when, each, optional, command }: ExplainedStep): string {
  const traits = [when && `if ${when}`, each && 'for each page', optional && 'may refuse'].filter(Boolean)
  const head = `${engine}${traits.length ? ` (${traits.join(', ')})` : ''}`
  if (decides) return `${head}: decides while running${uses.length ? `; may run ${uses.join(', ')}` : ''}`
  return `${head}: ${command ? command.map(quoted).join(' ') : 'arguments depend on what an earlier step finds'}`
}

const quoted = (argument: string) =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
