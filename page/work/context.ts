import { AthanorError, type createClient } from '../../client/client.ts'
import type { Item, Problem } from '../state/item.ts'
import type { Store } from '../state/store.ts'

/** What the actions of this folder share. */
export interface WorkContext {
  store: Store
  client: ReturnType<typeof createClient>
  /** Changes one file, if it is still in the list. */
  change(key: number, change: Partial<Item>): void
  find(key: number): Item | undefined
  /** Returns a new signal that aborts the next action on a file. */
  signalFor(key: number): AbortSignal
  /** For modules that are loaded later: an import would divide the first script, which then compresses less. */
  problemOf(error: unknown): Problem
}

/** Converts an error to what the page shows. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof AthanorError)) return { code: 'INTERNAL', message: String(error) }
  const { code, message, requestId } = error
  return { code, message, ...(requestId && { requestId }) }
}
