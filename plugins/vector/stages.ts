import type { Engine, Job, Run } from '../../kernel/contract.ts'
import type { VectorOptions } from './options.ts'

/** Makes SVG out of a source: the middle of every way. */
export interface Reader {
  engine: Engine
  needs?: readonly string[]
  uses?: readonly Engine[]
  from: readonly string[]
  /** Whether a source may hold several pages. Default false. */
  paged?: boolean
  /** Gives the files, one a page, in order: `.svg`, uncompressed. */
  read: (job: Job<VectorOptions>, run: Run) => Promise<string[]>
}

/** Makes one file of a target format out of one SVG file. */
export interface Writer {
  engine: Engine
  uses?: readonly Engine[]
  to: readonly string[]
  write: (job: Job<VectorOptions>, run: Run, files: { input: string; output: string }) => Promise<unknown>
}

/** Makes the file of the target format itself: where SVG between would lose something, or is not needed. */
export interface Shortcut extends Omit<Reader, 'read'> {
  to: readonly string[]
  /** Gives the files, one a page, in order. */
  make: (job: Job<VectorOptions>, run: Run) => Promise<string[]>
}
