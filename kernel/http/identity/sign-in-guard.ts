import type { Logger } from 'pino'
import { type Code, ServiceError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** How somebody tried to sign in. */
type Way = 'password' | 'current password' | 'reset token' | 'provider'

const GUESSES: ReadonlySet<Code> = new Set(['UNAUTHORIZED', 'BAD_REQUEST', 'INVALID_TOKEN'])

/**
 * Returns what `trial` gives. If the trial is refused, logs the client's address, so that fail2ban can block it:
 * docs/monitoring.md has the filter. A refusal of a suspended account is not logged, since the password was right.
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
