import type { Conversion, Options, Upload } from '../../client/client.ts'
import type { Contents } from '../archive/archive.ts'

/**
 * The stage of a file. `asked`: an archive; the page asks what to convert. `waiting`: not uploaded yet. `ready`: the
 * service has a record of it. `lined`: waits for its start. The other stages are the states of the conversion.
 */
export type Stage =
  | 'asked'
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
  /** Message of the service. */
  message: string
  requestId?: string
  /** Whether the options were changed since. */
  stale?: boolean
}

/** The page found that a file is larger than the service accepts. */
export const TOO_LARGE: Problem = { code: 'TOO_LARGE', message: '' }

/** One file in the list. */
export interface Item {
  key: number
  name: string
  /** Folder that contained the dropped file, such as `holiday/day 1`. */
  folder?: string
  /** Bytes. */
  size: number
  /** Undefined for a file that the service fetched itself. */
  file?: File
  /** Where the service fetches the file. */
  url?: string
  stage: Stage
  /** Bytes sent so far. */
  sent: number
  upload?: Upload
  /** The target of the task with which it was added: a format, or `SAME`. */
  wish?: string
  /** The chosen target. */
  to?: string
  /** Starts as soon as it is uploaded, if its target is known. */
  armed?: boolean
  options: Options
  conversion?: Conversion
  /** An earlier conversion has the same source. */
  reused?: boolean
  /** The last conversion, if it failed: the ZIP of all results lists it. */
  failedId?: string
  /** The batch that it was started with; its results come as one ZIP. */
  batch?: string
  /** What is in an archive, and whether it is being unpacked. */
  contents?: Contents
  opening?: boolean
  problem?: Problem
}

/** Stages in which the service works on the file, or will do so without another request. */
const UNDER_WAY: readonly Stage[] = ['lined', 'starting', 'queued', 'processing']

/** Whether the file will change without an action of the user. */
export const isBusy = (item: Item) => isArriving(item) || isUnderWay(item)

export const isUnderWay = ({ stage }: Item) => UNDER_WAY.includes(stage)

/** Whether a file can be changed: it waits for the user to choose a target or to start. */
export const isOpen = ({ stage, upload }: Item) => upload !== undefined && (stage === 'ready' || stage === 'failed')

/** Returns a file with other options. What was wrong with the earlier ones may be right now. */
export const withOptions = (item: Item, options: Options): Item => ({
  ...item,
  options,
  ...(item.problem && { problem: { ...item.problem, stale: true } }),
})

/**
 * Returns a file with another target. The service refuses options of another category.
 *
 * @param first Options that the target begins with. Those of the file are kept before them.
 * @param formats By name.
 */
export function withTarget(
  item: Item,
  to: string,
  first: Options,
  formats: ReadonlyMap<string, { category: string }>,
): Item {
  const keeps = item.to && formats.get(item.to)?.category === formats.get(to)?.category
  return { ...item, to, stage: 'ready', problem: undefined, options: { ...first, ...(keeps && item.options) } }
}

/** Returns what the record of a file's conversion changes in the list. */
export function changeOf(conversion: Conversion): Partial<Item> & Pick<Item, 'stage'> {
  const { id, status, error } = conversion
  if (status === 'failed') return { stage: status, conversion: undefined, failedId: id, problem: { ...error! } }
  return { stage: status === 'completed' ? 'done' : status, conversion }
}

/** Whether the file still has to arrive at the service. */
export const isArriving = ({ stage }: Item) => stage === 'waiting' || stage === 'uploading'

/** Whether a file can be started now: it is uploaded, and its target is known. */
export const canStart = ({ stage, to }: Item) => stage === 'ready' && to !== undefined

/** Refusals of an upload that another try cannot change. */
const HOPELESS = ['TOO_LARGE', 'FILE_TOO_LARGE', 'UNSUPPORTED_FORMAT']

/** Whether the step that failed can be tried again. */
export const canRetry = ({ stage, problem, upload, file, url }: Item): boolean =>
  stage === 'failed' && (!!upload || (!!(file || url) && !HOPELESS.includes(problem?.code ?? '')))

/** Categories of files whose size people want to know. */
const SIZED = ['image', 'audio', 'video']

/** Whether the sizes before and after can be compared: of pictures, audio and videos, and of compressed files. */
export function isSized({ upload, conversion }: Item, category: string | undefined): boolean {
  if (conversion?.fromFormat === conversion?.toFormat) return true
  return SIZED.includes(upload?.file.category ?? '') && SIZED.includes(category ?? '')
}

/** Returns the total progress from 0 to 1. The upload is the first quarter. */
export function shareDone({ stage, sent, size, conversion }: Item): number {
  if (stage === 'asked') return 0
  if (stage === 'done' || stage === 'failed') return 1
  if (stage === 'waiting' || stage === 'uploading') return size ? (sent / size) * 0.25 : 0
  return 0.25 + ((conversion?.progress ?? 0) / 100) * 0.75
}
