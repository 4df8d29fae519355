import type { PlanName } from '../../../config/config.ts'
import type { FailureCode, Intent } from '../../contract.ts'

export type Status = 'queued' | 'processing' | 'completed' | 'failed'

/** Statuses of conversions that have not ended. */
export const PENDING: readonly Status[] = ['queued', 'processing']

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

/** What the record of a conversion says of its end. */
export type Ending =
  | { status: 'failed'; error_code: FailureCode; error_message: string }
  | ({ status: 'completed'; progress: 100; completed_at: number } & Pick<
      ConversionRow,
      'output_key' | 'output_size' | 'output_mime' | 'output_extension'
    >)
