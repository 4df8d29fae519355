import type { Config } from '../../config/config.ts'
import { type Catalogue, createCatalogue } from '../catalogue/catalogue.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import type { Tool } from '../catalogue/tools.ts'
import { writeReport } from './abilities.ts'
import type { Cluster } from './cluster.ts'

/** What a node offers to clients, and what the other nodes know of it. */
interface SharedCatalogue {
  /** What all nodes can convert. It follows them as they come and go. */
  offered: LoadedCatalogue
  /** The group of nodes that can convert the same as this one; undefined: it converts nothing. */
  group: string | undefined
  /** Tells the other nodes what this one can convert. From then on, conversions are delivered to it. */
  report(): Promise<void>
}

/** Connects the catalogue of this node to those of the others. */
export function shareCatalogue(config: Config, own: LoadedCatalogue, { membership }: Cluster): SharedCatalogue {
  const { roster, report } = membership
  const offer = createSharedOffer(own, config)
  const follow = () => offer.change(roster.offered())
  roster.onOffered(follow)
  follow()
  const tools = ownTools(own)
  if (config.role === 'api' || !tools.length) return { offered: offer.loaded, group: undefined, report: async () => {} }
  const row = writeReport(tools)
  return { offered: offer.loaded, group: row.abilities_digest ?? undefined, report: () => report(row) }
}

/** What this node offers to clients: what all nodes together can convert. */
interface SharedOffer {
  /** As loaded. Its catalogue changes with what the nodes can convert. */
  loaded: LoadedCatalogue
  /** Offers other pairs from now on. @param abilities Engines by pair. */
  change(abilities: ReadonlyMap<string, string>): void
}

/** Creates the offer of a node. Until it changes, it is what the node itself can convert. */
function createSharedOffer(own: LoadedCatalogue, { prefer, tools }: Pick<Config, 'prefer' | 'tools'>): SharedOffer {
  let current = own.catalogue
  let disabled: readonly string[] = tools.disabled
  let closed: ReadonlySet<string> = new Set()
  // What an operator closed stays closed in the next catalogue.
  const closing: Pick<Catalogue, 'setClosedTools' | 'configure'> = {
    setClosedTools(slugs) {
      closed = slugs
      current.setClosedTools(slugs)
    },
    configure(patterns) {
      disabled = patterns
      current.configure(patterns)
    },
  }
  const catalogue = new Proxy(own.catalogue, {
    get: (_, key) => Reflect.get(key in closing ? closing : current, key),
  })
  const mine = ownTools(own)
  const isMine = (abilities: ReadonlyMap<string, string>) =>
    abilities.size === mine.length &&
    mine.every(({ fromFormat, toFormat, engine }) => abilities.get(`${fromFormat}>${toFormat}`) === engine)
  return {
    loaded: { ...own, catalogue },
    change(abilities) {
      // Most nodes can convert the same. Then one catalogue is enough.
      current = isMine(abilities)
        ? own.catalogue
        : createCatalogue(own.plugins, new Map(), { prefer, offered: abilities })
      current.configure(disabled)
      current.setClosedTools(closed)
    },
  }
}

/** The tools that this node can run itself, whether or not clients may ask it for them. */
function ownTools({ plugins, catalogue }: LoadedCatalogue): Tool[] {
  const open = new Set(plugins.filter(({ state }) => state === 'open').map(({ plugin }) => plugin.category))
  return catalogue.tools.filter(({ category, engine }) => engine !== '' && open.has(category))
}
