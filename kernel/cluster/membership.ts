import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openSeparately } from '../database/database.ts'
import { isUnavailable } from '../database/errors.ts'
import { newId } from '../database/ids.ts'
import {
  LEASE,
  type LivingNode,
  listRecentNodes,
  type NodeRow,
  type ReportRow,
  readReports,
  registerNode,
  renewNode,
  reportNode,
  retireNode,
} from '../database/tables/nodes.ts'
import { createRoster, sumPlaces } from './roster.ts'

/** Milliseconds from one renewal of the lease to the next, and from a failed attempt to the next. */
const INTERVAL = { renewed: 3000, failed: 500 }

/** Milliseconds that a statement may take. Several attempts must fail before the lease ends. */
const ANSWER_TIMEOUT_MS = 2500

/**
 * Milliseconds before the end of a lease at which the node gives up. Within that time it stops its engines, before
 * another node may run their conversions again.
 */
const MARGIN = 4000

/**
 * Milliseconds for which a node does not lead after leases have ended: its own, or those of others when it starts. If
 * the database hung, all have ended. A leader would take the conversions of the others away, so they get the time in
 * which each node tries to renew its lease.
 */
const OTHERS_RETURN_MS = 2 * (ANSWER_TIMEOUT_MS + INTERVAL.failed)

/** This service among those that share the database. */
export type NodeMembership = Awaited<ReturnType<typeof joinNodes>>

/**
 * Registers this service and renews its lease until it leaves. Renewals have a connection of their own, because all
 * others can be busy for longer than a lease lasts.
 *
 * @param url Of the database, whose schema is up to date. @param facts What other nodes must know of this one.
 */
export async function joinNodes(
  url: string,
  facts: Pick<NodeRow, 'version' | 'secret' | 'role' | 'light_workers' | 'heavy_workers'>,
  log: Logger,
) {
  const row = { ...facts, id: newId('node_'), host: hostname() }
  let reported: ReportRow = { abilities: null, abilities_digest: null }
  const { roster, update } = createRoster()
  const database = openSeparately(url, ANSWER_TIMEOUT_MS)
  const left = new AbortController()
  let living: readonly LivingNode[] = []
  let react = (_holds: boolean) => {}
  let gone = () => {}
  /** Milliseconds of `performance.now()` before which it does not lead, so that other nodes can return. */
  let mayLeadFrom = 0
  const lease = createDeadline(() => {
    log.error('the lease of this node ends: its conversions stop, and others may run them')
    react(false)
  })

  /** Registers the node, whose lease begins. */
  async function begin(): Promise<void> {
    const asked = performance.now()
    await registerNode(database, { ...row, ...reported })
    hold(asked)
  }

  /** Renews the lease, and lists the nodes. */
  async function renew(): Promise<void> {
    const asked = performance.now()
    if (await renewNode(database, row.id)) hold(asked)
    else {
      log.warn('the lease of this node had ended')
      // The monotonic clock stands still while a machine sleeps, and did not notice.
      lease.end()
      react(false)
      await begin()
    }
    await readNodes()
  }

  /** @param asked Milliseconds of `performance.now()`. The lease begins when the database runs the statement: later. */
  function hold(asked: number): void {
    const held = lease.holds()
    lease.extend(asked + LEASE - MARGIN)
    if (held) return
    if (living.length) mayLeadFrom = performance.now() + OTHERS_RETURN_MS
    react(lease.holds())
  }

  async function readNodes(): Promise<readonly LivingNode[]> {
    const before = living
    const recent = await listRecentNodes(database)
    living = recent.filter((node) => node.lease > 0)
    await update(recent, (groups) => readReports(database, groups))
    if (before.some(({ id }) => !living.some((node) => node.id === id))) gone()
    return recent
  }

  async function renewForever(): Promise<void> {
    for (let next = performance.now() + INTERVAL.renewed; ; ) {
      await delay(Math.max(0, next - performance.now()), undefined, { signal: left.signal, ref: false }).catch(() => {})
      if (left.signal.aborted) return
      const began = performance.now()
      try {
        await renew()
        next = began + INTERVAL.renewed
      } catch (err) {
        // That the database is away is logged by what reads the settings.
        log[isUnavailable(err) ? 'debug' : 'warn']({ err }, 'lease not renewed')
        next = performance.now() + INTERVAL.failed
      }
    }
  }

  try {
    await begin()
    const recent = await readNodes()
    if (recent.some((node) => node.lease <= 0)) mayLeadFrom = performance.now() + OTHERS_RETURN_MS
  } catch (error) {
    lease.end()
    await database.destroy()
    throw error
  }
  const renewing = renewForever()
  return {
    id: row.id,
    /** Whether its lease holds. If not, other nodes may take over its conversions. */
    holds: lease.holds,
    /** Milliseconds until the node gives its lease up, if it cannot renew it; 0: it has none. */
    lease: lease.rest,
    /** Nodes whose lease holds, as this one saw them last. */
    living: () => living,
    /** Whether it leads: of the living nodes, it registered first. The leader sweeps and recovers. */
    leads: () => lease.holds() && performance.now() >= mayLeadFrom && living[0]?.id === row.id,
    /** Conversions that all living nodes run at the same time, by kind. */
    workers: () => sumPlaces(living),
    /** What the nodes can convert. */
    roster,
    /** Reads again which nodes there are. @throws if the database does not answer. */
    refresh: async () => void (await readNodes()),
    /** Tells the other nodes what this one can convert. Until then it gets no conversions. */
    async report(what: ReportRow) {
      reported = what
      await reportNode(database, row.id, what)
      await readNodes()
    },
    /**
     * Calls back each time when the lease is about to end, by the monotonic clock, and when it holds again; at once if
     * it does not hold now. Replaces an earlier callback.
     */
    onLease(call: (holds: boolean) => void) {
      react = call
      if (!lease.holds()) call(false)
    },
    /** Calls back each time when another node is gone. Replaces an earlier callback. */
    onGone: (call: () => void) => {
      gone = call
    },
    /** Stops renewing and removes the node. */
    async leave() {
      left.abort()
      await renewing
      lease.end()
      await retireNode(database, row.id).catch((err) => log.warn({ err }, 'node not retired; its lease will end'))
      await database.destroy()
    },
  }
}
/** @param passed Called once each time it passes. Setting the clock of the machine has no effect. */
function createDeadline(passed: () => void) {
  let until = 0
  let timer: NodeJS.Timeout | undefined
  return {
    /** Puts it off. @param until Milliseconds of `performance.now()`. */
    extend(next: number) {
      until = next
      clearTimeout(timer)
      timer = setTimeout(passed, Math.max(0, until - performance.now())).unref()
    },
    /** Milliseconds until it passes; 0: it has passed. */
    rest: () => Math.max(0, until - performance.now()),
    /** Whether it has not passed. */
    holds: () => performance.now() < until,
    /** From now on it has passed, and `passed` is not called. */
    end() {
      clearTimeout(timer)
      until = 0
    },
  }
}
