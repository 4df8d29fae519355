import type { KindCounts, LivingNode, NodeGroup } from '../database/tables/nodes.ts'
import { type Abilities, readReport, unite } from './abilities.ts'

/**
 * What the nodes can convert, as this one saw them last. Nodes that can convert the same with the same engines are one
 * group. Most installations have one.
 */
export interface Roster {
  /** Groups with nodes that live or lived within the grace. */
  groups(): ReadonlySet<string>
  /** The groups with living nodes that can convert a pair (`png>webp`). */
  takersOf(pair: string): readonly NodeGroup[]
  /** The group of a node that lives or lived within the grace. */
  groupOf(node: string): string | undefined
  /** Milliseconds for which a living node that converts has been here; 0: there is none. */
  worksFor(): number
  /** What the nodes can convert that live or lived within the grace. */
  offered(): Abilities
  /** Calls `react` each time when that has changed. Replaces an earlier `react`. */
  onOffered(react: () => void): void
}

/** Creates a roster of no nodes, and what tells it of them. */
export function createRoster() {
  const known = new Map<string, Abilities>()
  let living: readonly LivingNode[] = []
  let recent: readonly string[] = []
  let offered: Abilities = new Map()
  let groupByNode = new Map<string, string>()
  /** When the nodes were read, by the monotonic clock. Their ages are of that time. */
  let updated = performance.now()
  let react = () => {}

  const groupsOf = (nodes: readonly LivingNode[]) => [
    ...new Set(nodes.flatMap(({ abilities_digest: group }) => (group !== null && known.has(group) ? group : []))),
  ]

  const roster: Roster = {
    groups: () => new Set(recent),
    takersOf(pair) {
      const names = groupsOf(living).filter((group) => known.get(group)?.has(pair))
      return names.map((name) => {
        const nodes = living.filter((node) => node.abilities_digest === name)
        return { name, nodes: nodes.length, workers: sumPlaces(nodes) }
      })
    },
    groupOf: (node) => groupByNode.get(node),
    worksFor() {
      const working = living.filter((node) => node.abilities_digest !== null)
      return working.length ? Math.max(...working.map(({ age }) => age)) + performance.now() - updated : 0
    },
    offered: () => offered,
    onOffered: (call) => {
      react = call
    },
  }

  /**
   * Takes note of the nodes.
   *
   * @param nodes That live or lived within the grace. @param read Reads the reports of groups that are new.
   */
  async function update(
    nodes: readonly LivingNode[],
    read: (groups: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<void> {
    const named = new Set(nodes.flatMap(({ abilities_digest: group }) => group ?? []))
    const unknown = [...named].filter((group) => !known.has(group))
    if (unknown.length) for (const [group, report] of await read(unknown)) known.set(group, readReport(report))
    living = nodes.filter(({ lease }) => lease > 0)
    updated = performance.now()
    groupByNode = new Map(nodes.flatMap(({ id, abilities_digest: group }) => (group === null ? [] : [[id, group]])))
    const before = recent
    recent = groupsOf(nodes).sort()
    for (const group of known.keys()) if (!named.has(group)) known.delete(group)
    if (recent.join() === before.join()) return
    offered = unite(recent.flatMap((group) => known.get(group) ?? []))
    react()
  }

  return { roster, update }
}

/** Conversions that nodes run at the same time, by kind. */
export function sumPlaces(nodes: readonly LivingNode[]): KindCounts {
  const sum = (of: (node: LivingNode) => number) => nodes.reduce((total, node) => total + of(node), 0)
  return { light: sum((node) => node.light_workers), heavy: sum((node) => node.heavy_workers) }
}
