import { Gauge, type Registry } from 'prom-client'
import type { NodeMembership } from '../../cluster/membership.ts'

/** Measures this node among those that share its database. */
export function gaugeNodes(
  { living, workers, lease, leads }: Pick<NodeMembership, 'living' | 'workers' | 'lease' | 'leads'>,
  registry: Registry,
): void {
  const registers = [registry]
  const nodes: Gauge = new Gauge({
    name: 'athanor_nodes',
    help: 'Living nodes that share the database, by version and role, as this node saw them last.',
    labelNames: ['version', 'role'],
    registers,
    collect() {
      nodes.reset()
      for (const { version, role } of living()) nodes.inc({ version, role })
    },
  })
  const places: Gauge = new Gauge({
    name: 'athanor_nodes_places',
    help: 'Conversions that all living nodes run at the same time, by lane.',
    labelNames: ['lane'],
    registers,
    collect() {
      const { light, heavy } = workers()
      places.set({ lane: 'light' }, light)
      places.set({ lane: 'heavy' }, heavy)
    },
  })
  const rest: Gauge = new Gauge({
    name: 'athanor_node_lease_seconds',
    help: 'Seconds until this node gives up its lease and stops its conversions, if it cannot renew it.',
    registers,
    collect: () => rest.set(lease() / 1000),
  })
  const leader: Gauge = new Gauge({
    name: 'athanor_node_leader',
    help: '1 if this node leads: it sweeps, and takes conversions back from nodes that are gone. Otherwise 0.',
    registers,
    collect: () => leader.set(leads() ? 1 : 0),
  })
}
