import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { LEASE, listLivingNodes, type NodeRow, registerNode, removeNode, renewNode } from '../database/tables/nodes.ts'
import { createDeadline } from './deadline.ts'

/** Milliseconds between two renewals of the lease. */
const INTERVAL = 3000

/**
 * Milliseconds before the end of a lease at which the node gives up. Within that time it stops its engines, before
 * another node may run their conversions again.
 */
const MARGIN = 4000

/** This service among those that share the database. */
export interface NodeMembership {
  id: string
  /** Whether its lease holds. If not, other nodes may take over its conversions. */
  holds(): boolean
  /** Whether it leads: of the living nodes, it registered first. The leader sweeps and recovers. */
  leads(): boolean
  /** Conversions that all living nodes run at the same time, by kind. */
  workers(): { light: number; heavy: number }
  /** Calls `react` each time when the lease is about to end, by the monotonic clock. */
  onLost(react: () => void): void
  /** Stops renewing and removes the node. */
  leave(): Promise<void>
}

/** Registers this service and renews its lease until it leaves. @param facts What other nodes must know of it. */
export async function joinNodes(
  database: Database,
  facts: Pick<NodeRow, 'version' | 'secret' | 'light_workers' | 'heavy_workers'>,
  log: Logger,
): Promise<NodeMembership> {
  const row = { ...facts, id: newId('node_'), host: hostname() }
  const left = new AbortController()
  let living: readonly NodeRow[] = []
  let react = () => {}
  const lease = createDeadline(() => {
    log.error('the lease of this node ends: its conversions stop, and others may run them')
    react()
  })

  async function renew(): Promise<void> {
    // The lease begins when the database runs the statement, which is later.
    const asked = performance.now()
    if (!(await renewNode(database, row.id))) {
      log.warn('the lease of this node had ended')
      // The monotonic clock stands still while a machine sleeps, and did not notice.
      react()
      await registerNode(database, row)
    }
    lease.extend(asked + LEASE - MARGIN)
    living = await listLivingNodes(database)
  }

  async function renewForever(): Promise<void> {
    while (!left.signal.aborted) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, INTERVAL).unref()
        left.signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
      })
      if (!left.signal.aborted) await renew().catch((err) => log.warn({ err }, 'lease not renewed'))
    }
  }

  const asked = performance.now()
  await registerNode(database, row)
  lease.extend(asked + LEASE - MARGIN)
  living = await listLivingNodes(database)
  const renewing = renewForever()
  return {
    id: row.id,
    holds: lease.holds,
    leads: () => lease.holds() && living[0]?.id === row.id,
    workers() {
      const sum = (of: (node: NodeRow) => number) => living.reduce((total, node) => total + of(node), 0)
      return { light: sum((node) => node.light_workers), heavy: sum((node) => node.heavy_workers) }
    },
    onLost: (call) => void (react = call),
    async leave() {
      left.abort()
      await renewing
      lease.end()
      await removeNode(database, row.id).catch((err) => log.warn({ err }, 'node not removed; its lease will end'))
    },
  }
}
