import type { BatchRow, PendingCounts } from '../database/tables/batches.ts'
import type { Status } from '../database/tables/conversions.ts'
import type { ShownRow } from '../database/tables/shown-conversions.ts'
import type { Summary } from './work.ts'

/** A conversion as its owner sees it. Times are epoch milliseconds. */
export interface Conversion {
  id: string
  owner: string
  status: Status
  /** 0 to 100. */
  progress: number
  fromFormat: string
  toFormat: string
  /** Name of the source, without extension. */
  name: string
  /** Bytes. */
  sourceSize: number
  outputKey?: string
  /** Bytes. */
  outputSize?: number
  createdAt: number
  completedAt?: number
  error?: { code: string; message: string }
}

export function toConversion(row: ShownRow): Conversion {
  const conversion: Conversion = {
    id: row.id,
    owner: row.owner,
    status: row.status,
    progress: row.progress,
    fromFormat: row.from_format,
    toFormat: row.to_format,
    name: row.name,
    sourceSize: Number(row.source_size),
    createdAt: Number(row.created_at),
  }
  if (row.status === 'completed' && row.output_key) {
    conversion.outputKey = row.output_key
    conversion.outputSize = Number(row.output_size)
    conversion.completedAt = Number(row.completed_at)
  }
  if (row.error_code) conversion.error = { code: row.error_code, message: row.error_message ?? '' }
  return conversion
}

/** A conversion, and what is known of the work on it. */
export interface ConversionReport {
  conversion: Conversion
  /** SHA-256 of the source in hexadecimal; null: not known. */
  sha256: string | null
  /** Undefined: it has not ended, or nothing ran. */
  summary?: Summary | undefined
}

/** A conversion, with the URL of its result when it is completed, or its place in the queue. */
export interface LinkedConversion {
  conversion: Conversion
  outputUrl?: string
  /** 1 is the first. */
  queuePosition?: number | undefined
}

/** A conversion as clients see it. Fields without a value are left out, except `error`. */
export function conversionRecord({ conversion, outputUrl, queuePosition }: LinkedConversion) {
  const { completedAt } = conversion
  return {
    id: conversion.id,
    status: conversion.status,
    progress: conversion.progress,
    fromFormat: conversion.fromFormat,
    toFormat: conversion.toFormat,
    name: conversion.name,
    sourceSize: conversion.sourceSize,
    createdAt: new Date(conversion.createdAt).toISOString(),
    outputSize: conversion.outputSize,
    outputFileId: conversion.outputKey,
    outputUrl,
    queuePosition,
    completedAt: completedAt === undefined ? undefined : new Date(completedAt).toISOString(),
    error: conversion.error ?? null,
  }
}

/** The state of a batch. */
export interface BatchState {
  id: string
  owner: string
  status: Exclude<Status, 'failed'>
  /** Accepted conversions. `completed` and `failed` count ended ones, including those deleted since. */
  total: number
  completed: number
  failed: number
  /** 0 to 100. */
  progress: number
  /** Epoch milliseconds. */
  createdAt: number
}

/** Returns the state of a batch. @param pending Those of its conversions that have not ended. */
export function toBatchState(batch: BatchRow, { pending, queued, progress }: PendingCounts): BatchState {
  const { id, owner, total, completed, failed, created_at } = batch
  return {
    id,
    owner,
    total,
    completed,
    failed,
    createdAt: Number(created_at),
    status: pending ? (queued === total ? 'queued' : 'processing') : 'completed',
    progress: Math.floor((progress + 100 * (total - pending)) / total),
  }
}

/** A batch as clients see it, without its conversions. `outputUrl`: of its ZIP, when it is completed. */
export const batchRecord = ({ owner: _, createdAt, ...batch }: BatchState & { outputUrl?: string | undefined }) => ({
  ...batch,
  createdAt: new Date(createdAt).toISOString(),
})
