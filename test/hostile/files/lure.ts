import type { Canary } from '../canary.ts'

/** A file that tries to reach the machine that converts it. */
export interface Lure {
  /** What it tries. */
  what: string
  /** Its name, with the extension that it claims. */
  name: string
  content: string | Buffer
  /** The format that it claims to have. */
  as?: string
  /** The code that the upload may be refused with. */
  refused?: string
}

/** Makes lures that point at a canary. */
export type Trap = (canary: Pick<Canary, 'folder' | 'url' | 'prey'>) => Promise<Lure[]> | Lure[]
