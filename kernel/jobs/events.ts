import { EventEmitter } from 'node:events'
import type { Ending } from './end.ts'
import type { ConversionRow } from './records.ts'

/** A conversion whose end is recorded. */
export interface ConversionEnd {
  /** The record as it was before. */
  row: ConversionRow
  ending: Ending
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
