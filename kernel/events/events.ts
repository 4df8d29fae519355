import { EventEmitter } from 'node:events'
import type { Ending } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'

/** A conversion whose end has been recorded. */
export interface ConversionEnd {
  /** The record before the end. */
  row: ConversionRow
  ending: Ending
}

/** Figures of an ended conversion, for the log and the metrics. */
export interface Figures extends ConversionEnd {
  /** Each engine that ran, once, in the order of first runs. */
  engines: readonly string[]
  /** Each run: its CPU seconds, and its peak resident memory in bytes. */
  runs: readonly { engine: string; cpu: number; memory: number }[]
  /** Milliseconds from the request until work started, or until the end if work never started. */
  waited: number
  /** Milliseconds from the start of work to the end; 0 if work never started. */
  ran: number
  /** Whether work started. */
  worked: boolean
  /** Measured CPU seconds of all runs. */
  cpu: number
  /** Peak resident memory of the largest run, in bytes. */
  memory: number
}

/** Events and their arguments. */
interface EventMap {
  ended: [ConversionEnd]
  /** Follows `ended`, for the log and the metrics. */
  figures: [Figures]
  /** An operator asks to read the configuration again; with the id of the request. */
  reload: [string]
}

export type ConversionEvents = EventEmitter<EventMap>

export const createConversionEvents = (): ConversionEvents => new EventEmitter<EventMap>()
