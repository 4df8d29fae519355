import type { Conversion, Options, Upload } from '../../client/client.ts'

/**
 * How far a file is. `waiting` waits for its upload, `ready` has a record at the service, `lined` waits for its start;
 * then come the conversion's own states.
 */
export type Stage =
  | 'waiting'
  | 'uploading'
  | 'ready'
  | 'lined'
  | 'starting'
  | 'queued'
  | 'processing'
  | 'done'
  | 'failed'

/** What went wrong with one file. */
export interface Problem {
  code: string
  /** In the service's words. */
  message: string
  requestId?: string
}

/** One file in the list. */
export interface Item {
  key: number
  name: string
  /** Folder that it was dropped with, such as `holiday/day 1`. */
  folder?: string
  /** Bytes. */
  size: number
  /** Unset for a file that the service fetched itself. */
  file?: File
  stage: Stage
  /** Bytes that have left this machine. */
  sent: number
  upload?: Upload
  /** The chosen target. */
  to?: string
  options: Options
  conversion?: Conversion
  problem?: Problem
}

/** Stages in which the service works on the file, or will without being asked again. */
const UNDER_WAY: readonly Stage[] = ['lined', 'starting', 'queued', 'processing']

export const isUnderWay = ({ stage }: Item) => UNDER_WAY.includes(stage)

/** Whether it can be started now: it is uploaded, and its target is known. */
export const canStart = ({ stage, to }: Item) => stage === 'ready' && to !== undefined

/** Share of the whole way that is done, 0 to 1: the upload is a quarter of it. */
export function shareDone({ stage, sent, size, conversion }: Item): number {
  if (stage === 'done' || stage === 'failed') return 1
  if (stage === 'waiting' || stage === 'uploading') return size ? (sent / size) * 0.25 : 0
  return 0.25 + ((conversion?.progress ?? 0) / 100) * 0.75
}
