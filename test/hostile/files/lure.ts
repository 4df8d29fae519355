import type { Canary } from '../canary.ts'

/** A file that tries to reach the machine that converts it. */
export interface Lure {
  /** What it tries to do. */
  what: string
  /** File name, with the extension of the claimed format. */
  name: string
  content: string | Buffer
  /** Claimed format. */
  as?: string
  /** Code with which the upload may be refused. */
  refused?: string
}

/** Makes lures that point at a canary. */
export type Trap = (canary: Pick<Canary, 'folder' | 'url' | 'prey'>) => Promise<Lure[]> | Lure[]
