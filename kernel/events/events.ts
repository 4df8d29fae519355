import { EventEmitter } from 'node:events'
import type { Ending } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'

/** A conversion whose end is recorded. */
export interface ConversionEnd {
  /** The record as it was before. */
  row: ConversionRow
  ending: Ending
}

/** What a conversion came to, in figures. Its end is logged and counted with them. */
export interface Report extends ConversionEnd {
  /** Each engine that ran, once, in the order of their first runs. */
  engines: readonly string[]
  /** Milliseconds from the request to the work on it; to its end, where nobody worked on it. */
  waited: number
  /** Milliseconds from there to its end. */
  ran: number
  /** Whether it was worked on at all. */
  worked: boolean
  /** Seconds of processor time of its runs, as far as they were seen. */
  cpu: number
  /** Peak of resident bytes of its largest run. */
  memory: number
}

/** Fires an event of the conversion's id when it ends, for those who wait, and `ended` for those who count. */
export type ConversionEvents = EventEmitter

export function createConversionEvents(): ConversionEvents {
  // Every client that waits listens.
  return new EventEmitter().setMaxListeners(0)
}

/** Tells everybody who waits that a conversion has ended; its record is committed by then. */
export function announceEnd(events: ConversionEvents, end: ConversionEnd): void {
  events.emit(end.row.id)
  events.emit('ended', end)
}
