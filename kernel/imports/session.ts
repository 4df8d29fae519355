import { ServiceError } from '../errors.ts'
import { createSingleFlight } from '../single-flight.ts'
import type { Client } from './client.ts'
import type { Connection, Connections } from './connections.ts'
import type { OfferedOAuth } from './offer.ts'
import type { Send, Tokens } from './provider.ts'

/** Milliseconds before its expiry at which an access token is refreshed. */
const MARGIN = 60_000

/** Timeout of a refresh in milliseconds. */
const REFRESH_TIMEOUT_MS = 20_000

/**
 * Makes a function that sends requests with an access token. It refreshes a token that is about to expire. If the
 * provider rejects the token, it refreshes the token and repeats the request, once.
 */
function createSession(client: Client, tokens: Tokens, refresh: (tokens: Tokens) => Promise<Tokens>): Send {
  let current = tokens
  return async (url, outgoing) => {
    const attempt = () =>
      client.send(url, { ...outgoing, headers: { ...outgoing.headers, authorization: `Bearer ${current.access}` } })
    const renew = async () => {
      current = await refresh(current)
    }
    const fresh = current.expiresAt - Date.now() < MARGIN
    if (fresh) await renew()
    const first = await attempt()
    // A 401 after a cross-origin redirect does not concern the token: that server never got it.
    if (first.status !== 401 || fresh || first.url.origin !== url.origin) return first
    first.body.destroy()
    await renew()
    return attempt()
  }
}

/** Creates sessions that send with a connection's tokens. Stores new tokens; deletes connections that have ended. */
export function createTokenSessions(client: Client, connections: Connections) {
  /** Refreshes, by access token. */
  const refreshing = createSingleFlight<Tokens>()

  return function sessionOf({ provider, flow }: OfferedOAuth, connection: Connection): Send {
    const renew = async (tokens: Tokens) => {
      // Do not use the signal of the first request: others wait for the same tokens.
      const renewed = await flow.refresh(tokens, AbortSignal.timeout(REFRESH_TIMEOUT_MS))
      if (renewed) {
        await connections.update({ ...connection, secret: renewed })
        return renewed
      }
      await connections.remove(connection)
      throw notConnected(provider.label)
    }
    return createSession(client, connection.secret as Tokens, (tokens) => {
      const key = `${connection.owner} ${provider.name} ${tokens.access}`
      return refreshing(key, () => renew(tokens))
    })
  }
}

export const notConnected = (label: string) =>
  new ServiceError('NOT_FOUND', `${label} is not connected; POST to its connect path first`)
