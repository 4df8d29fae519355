import type { Logger } from 'pino'
import { type Code, ServiceError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** What was tried. */
type Way = 'password' | 'current password' | 'reset token' | 'provider'

const GUESSES: ReadonlySet<Code> = new Set(['UNAUTHORIZED', 'BAD_REQUEST', 'INVALID_TOKEN'])

/**
 * Passes on what `trial` gives. When it is refused, logs the client's address in a line of its own, by which fail2ban
 * can block it: docs/monitoring.md has the filter. A suspended account is no guess, as its password was right.
 */
export async function noteFailedSignIn<T>(log: Logger, ctx: Context, way: Way, trial: Promise<T>): Promise<T> {
  try {
    return await trial
  } catch (error) {
    if (error instanceof ServiceError && GUESSES.has(error.code)) {
      log.warn({ address: ctx.state.origin.address, way }, 'sign-in failed')
    }
    throw error
  }
}
