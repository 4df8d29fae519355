import type { PlanName } from '../../config/config.ts'
import type { FailureCode, Intent } from '../contract.ts'

export type Status = 'queued' | 'processing' | 'completed' | 'failed'

/** Statuses of conversions that have not ended. */
export const PENDING: readonly Status[] = ['queued', 'processing']

/** A conversion as its owner sees it. Times are epoch milliseconds. */
export interface Conversion {
  id: string
  owner: string
  status: Status
  /** 0 to 100. */
  progress: number
  fromFormat: string
  toFormat: string
  outputKey?: string
  /** Bytes. */
  outputSize?: number
  createdAt: number
  completedAt?: number
  error?: { code: string; message: string }
}

/** A row of the table `conversions`. */
export interface ConversionRow {
  id: string
  owner: string
  plan: PlanName
  status: Status
  progress: number
  category: string
  from_format: string
  to_format: string
  intent: Intent
  /** The options as the client gave them, JSON. */
  options: string
  source_key: string
  source_size: number
  /** Stem of the download's name. */
  name: string
  heavy: boolean | number
  /** Times that it was started; handing it back at a shutdown does not count. */
  attempts: number
  output_key: string | null
  output_size: number | null
  output_mime: string | null
  output_extension: string | null
  error_code: FailureCode | null
  error_message: string | null
  created_at: number
  completed_at: number | null
  /** Null until it ends. */
  expires_at: number | null
  /** What its quota was charged to, with spaces between. */
  charged_to: string | null
  /** The batch that it is of. */
  batch: string | null
}

export function toConversion(row: ConversionRow): Conversion {
  return {
    id: row.id,
    owner: row.owner,
    status: row.status,
    progress: row.progress,
    fromFormat: row.from_format,
    toFormat: row.to_format,
    createdAt: Number(row.created_at),
    ...(row.status === 'completed' && {
      outputKey: row.output_key!,
      outputSize: Number(row.output_size),
      completedAt: Number(row.completed_at),
    }),
    ...(row.status === 'failed' && { error: { code: row.error_code!, message: row.error_message! } }),
  }
}
