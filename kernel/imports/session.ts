import type { Client } from './client.ts'
import type { Send, Tokens } from './provider.ts'

/** Milliseconds before its end from which an access token is not used any more. */
const MARGIN = 60_000

/**
 * Sends requests with an access token. One that is at its end, or that the provider does not take any more, is
 * refreshed once and the request repeated.
 */
export function createSession(
  client: Client,
  tokens: Tokens,
  refresh: (tokens: Tokens, signal: AbortSignal) => Promise<Tokens>,
): Send {
  let current = tokens
  return async (url, outgoing) => {
    const attempt = () =>
      client.send(url, { ...outgoing, headers: { ...outgoing.headers, authorization: `Bearer ${current.access}` } })
    const renew = async () => {
      current = await refresh(current, outgoing.signal)
    }
    const fresh = current.expiresAt - Date.now() < MARGIN
    if (fresh) await renew()
    const first = await attempt()
    // Only its own origin says something about the token: another one has not seen it.
    if (first.status !== 401 || fresh || first.url.origin !== url.origin) return first
    first.body.destroy()
    await renew()
    return attempt()
  }
}
