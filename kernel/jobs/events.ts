import { EventEmitter } from 'node:events'
import type { FailureCode } from '../contract.ts'
import type { ConversionRow, Status } from './records.ts'

/** How a conversion ended, for metrics. */
export interface ConversionEnd {
  id: string
  status: Status
  category: string
  code: FailureCode | undefined
  /** Milliseconds since the request. */
  took: number
}

/** Fires an event of the conversion's id when it ends, for those who wait, and `ended` for those who count. */
export type ConversionEvents = EventEmitter

export function createConversionEvents(): ConversionEvents {
  // Every client that waits listens.
  return new EventEmitter().setMaxListeners(0)
}

/** Tells everybody who waits that a conversion has ended; its record is committed by then. */
export function announceEnd(
  events: ConversionEvents,
  row: Pick<ConversionRow, 'id' | 'category' | 'created_at'>,
  status: Status,
  code?: FailureCode,
): void {
  const took = Date.now() - Number(row.created_at)
  events.emit(row.id)
  events.emit('ended', { id: row.id, status, category: row.category, code, took } satisfies ConversionEnd)
}
