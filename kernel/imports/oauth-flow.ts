import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  ResponseBodyError,
  refreshTokenGrant,
} from 'openid-client'
import type { CloudApp } from '../../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { OAuthState } from '../people/oauth-states.ts'
import { readAnswerText } from './answers.ts'
import type { Client } from './client.ts'
import { importFailed } from './failures.ts'
import type { OAuthProvider, Tokens } from './provider.ts'

/** The authorisation code flow with PKCE (RFC 6749 §4.1, RFC 7636) for one provider. */
export type OAuthFlow = ReturnType<typeof createOAuthFlow>

/** Default lifetime of an access token in milliseconds, if the provider does not state one. */
const LIFETIME = 3_600_000

export function createOAuthFlow({ label, scope, parameters }: OAuthProvider, app: CloudApp, client: Client) {
  // The library must send through our client, with the signal of each request. Without a signal, it only builds URLs.
  const configure = (signal?: AbortSignal) => {
    const server = {
      issuer: new URL(app.authorizeUrl).origin,
      authorization_endpoint: app.authorizeUrl,
      token_endpoint: app.tokenUrl,
    }
    const configuration = new Configuration(server, app.clientId, undefined, ClientSecretPost(app.clientSecret))
    // The operator sets the provider's URLs and may use plain HTTP.
    allowInsecureRequests(configuration)
    if (signal) {
      configuration[customFetch] = async (url, { method, headers, body }) => {
        const text = body?.toString()
        const answer = await client.send(new URL(url), { method, headers, body: text, redirects: 0, signal })
        const content = await readAnswerText(answer.body, label)
        return new Response(content, {
          status: answer.status,
          headers: { 'content-type': answer.headers['content-type'] ?? '' },
        })
      }
    }
    return configuration
  }

  const toTokens = (answer: { access_token: string; refresh_token?: string; expires_in?: number }): Tokens => ({
    access: answer.access_token,
    ...(answer.refresh_token && { refresh: answer.refresh_token }),
    expiresAt: Date.now() + (answer.expires_in ? answer.expires_in * 1000 : LIFETIME),
  })

  return {
    async authorizeUrl({ state, verifier }: OAuthState, redirectUri: string) {
      const challenge = await calculatePKCECodeChallenge(verifier)
      return buildAuthorizationUrl(configure(), {
        ...parameters,
        scope,
        state,
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href
    },
    /** Exchanges the code for tokens. @param callback The redirect's URL with its query. @throws ServiceError. */
    async finish(callback: URL, { state, verifier }: OAuthState, signal: AbortSignal) {
      try {
        const checks = { pkceCodeVerifier: verifier, expectedState: state }
        return toTokens(await authorizationCodeGrant(configure(signal), callback, checks))
      } catch (error) {
        if (error instanceof AuthorizationResponseError) {
          const said = /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'no'
          throw new ServiceError('BAD_REQUEST', `${label} was not connected; it answered ${said}`)
        }
        throw asServiceError(error)
      }
    },
    /** Returns undefined if the permission was revoked or has expired. @throws ServiceError IMPORT_FAILED. */
    async refresh(tokens: Tokens, signal: AbortSignal) {
      if (!tokens.refresh) return undefined
      try {
        // If the provider returns no new refresh token, keep the old one.
        return { ...tokens, ...toTokens(await refreshTokenGrant(configure(signal), tokens.refresh)) }
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined
        throw asServiceError(error)
      }
    },
  }

  function asServiceError(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error
    if ((error as Error).cause instanceof ServiceError) return (error as Error).cause as ServiceError
    // The library's errors contain the request, which must not be logged.
    return importFailed(`${label} did not grant a usable permission`)
  }
}
