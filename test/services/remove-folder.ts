import { rm } from 'node:fs/promises'

/**
 * Removes a folder with its content. Tries again for 20 s while programs write there: those of a service that was killed end
 * a moment after it.
 */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
