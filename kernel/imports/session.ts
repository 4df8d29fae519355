import { ServiceError } from '../errors.ts'
import type { Client } from './client.ts'
import type { Connection, Connections } from './connections.ts'
import type { OfferedOAuth } from './offer.ts'
import type { Send, Tokens } from './provider.ts'

/** Milliseconds before its end from which an access token is not used any more. */
const MARGIN = 60_000

/** Milliseconds for a refresh. */
const PATIENCE = 20_000

/**
 * Sends requests with an access token. One that is at its end, or that the provider does not take any more, is
 * refreshed once and the request repeated.
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
    // Only its own origin says something about the token: another one has not seen it.
    if (first.status !== 401 || fresh || first.url.origin !== url.origin) return first
    first.body.destroy()
    await renew()
    return attempt()
  }
}

/** Gives the way to send with a connection's tokens; refreshed ones are kept, and a permission that ended is forgotten. */
export function createTokenSessions(client: Client, connections: Connections) {
  /** Refreshes under way, by access token: requests at the same time share one. */
  const refreshing = new Map<string, Promise<Tokens>>()

  return function sessionOf({ provider, flow }: OfferedOAuth, connection: Connection): Send {
    const renew = async (tokens: Tokens) => {
      // Not the signal of the request that happens to be first: others wait for the same tokens.
      const renewed = await flow.refresh(tokens, AbortSignal.timeout(PATIENCE))
      if (renewed) {
        await connections.update({ ...connection, secret: renewed })
        return renewed
      }
      await connections.remove(connection)
      throw notConnected(provider.label)
    }
    return createSession(client, connection.secret as Tokens, (tokens) => {
      const key = `${connection.owner} ${provider.name} ${tokens.access}`
      const shared = refreshing.get(key) ?? renew(tokens).finally(() => refreshing.delete(key))
      refreshing.set(key, shared)
      return shared
    })
  }
}

export const notConnected = (label: string) =>
  new ServiceError('NOT_FOUND', `${label} is not connected, or not any more; POST to its connect path first`)
