import * as openid from 'openid-client'
import type { Logger } from 'pino'
import { ServiceError } from '../../errors.ts'
import type { OAuthState } from '../oauth-states.ts'

/** Time limit for an answer of a provider, in seconds. */
export const ANSWER_SECONDS = 10

/** Whether plain HTTP is allowed: only for providers on this machine, for tests and development. */
export const insecureAllowed = (url: URL) =>
  url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)

/** The authorization request (RFC 6749 §4.1.1) with PKCE, state and nonce. */
export const authorizeUrl = (
  config: openid.Configuration,
  scope: string,
  { state, nonce, verifier }: OAuthState,
  redirectUri: string,
) =>
  openid.calculatePKCECodeChallenge(verifier).then((code_challenge) =>
    openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge,
      code_challenge_method: 'S256',
    }),
  )

/**
 * Sends requests to a provider, and converts their errors to answers for the client. Tokens and personal data stay out
 * of the log.
 *
 * @throws ServiceError UNAUTHORIZED, NOT_READY.
 */
export async function converse<T>(name: string, log: Logger, talk: () => Promise<T>): Promise<T> {
  try {
    return await talk()
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const { code, message } = error as { code?: string; message: string }
    if (error instanceof openid.AuthorizationResponseError) {
      const reason = /^[a-z_]{1,60}$/.test(error.error) ? ` (${error.error})` : ''
      throw new ServiceError('UNAUTHORIZED', `${name} did not sign you in${reason}; start again`)
    }
    log.warn({ provider: name, code, reason: message.slice(0, 200) }, 'external sign-in failed')
    if (isOutage(error)) {
      throw new ServiceError('NOT_READY', `${name} cannot be reached; try again later`, { retryAfter: 30 })
    }
    throw new ServiceError('UNAUTHORIZED', `The sign-in at ${name} could not be verified; start again`)
  }
}

function isOutage(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { status?: number; code?: string } }
  if (code === 'OAUTH_TIMEOUT' || (cause?.status ?? 0) >= 500) return true
  // The error of undici, `fetch failed`, has the socket's error as its cause.
  return error instanceof TypeError && cause?.code !== undefined
}
