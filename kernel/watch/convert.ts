import type { Readable } from 'node:stream'
import type { Config } from '../../config/config.ts'

/** What becomes of a watched file once it is converted. */
export type After = Config['watch'][number]['after']

/** A file that a watcher has claimed. */
export interface ClaimedFile {
  path: string
  name: string
}

/** A result that waits to be written into its folder. */
interface WatchedResult {
  /** File name with its extension. */
  name: string
  open(): Readable | Promise<Readable>
  /** Called once it is in its folder: it need not be kept any more. */
  release(): Promise<void>
}

/**
 * Converts a claimed file.
 *
 * @param earlier The id that an earlier call has noted for this file, before the watcher was stopped.
 * @param note Keeps the id of the conversion that has been started.
 * @throws Unconvertible. Any other error is one that passes: the file is tried again.
 */
export type Convert = (
  source: ClaimedFile,
  earlier: string | undefined,
  note: (id: string) => Promise<void>,
  signal: AbortSignal,
) => Promise<WatchedResult>

/** A file that cannot be converted, however often it is tried. The message is for people. */
export class Unconvertible extends Error {
  override name = 'Unconvertible'
}
