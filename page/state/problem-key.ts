import type { Key } from '../texts/texts.ts'
import type { Problem } from './item.ts'

/** Codes that people read the same about. */
const LIKE: Readonly<Record<string, string>> = {
  TOO_LARGE: 'FILE_TOO_LARGE',
  UNKNOWN_OPTION: 'INVALID_OPTIONS',
  OPTION_NOT_APPLICABLE: 'INVALID_OPTIONS',
  TIMEOUT: 'RESOURCE_LIMIT',
  QUEUE_FULL_USER: 'QUEUE_FULL_GLOBAL',
  RATE_LIMITED: 'QUEUE_FULL_GLOBAL',
  MAINTENANCE_MODE: 'QUEUE_FULL_GLOBAL',
  UNAUTHORIZED: 'FORBIDDEN',
  GONE: 'NOT_FOUND',
}

/**
 * Returns the key of the page's own sentence about a problem. The service writes its messages in English, for
 * developers.
 *
 * @param has Whether there is a text of a key.
 */
export function problemKey({ code }: Pick<Problem, 'code'>, has: (key: string) => key is Key): Key {
  const key = `error.${LIKE[code] ?? code}`
  return has(key) ? key : 'error.INTERNAL_SERVER_ERROR'
}
