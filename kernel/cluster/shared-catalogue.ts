import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import { createSharedOffer, ownTools } from '../catalogue/offer.ts'
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
