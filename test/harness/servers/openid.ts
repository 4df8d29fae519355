import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A user at the provider, by login name. */
export type People = Record<string, { email?: string; email_verified?: boolean; name?: string }>

/** A certified OpenID Connect provider on loopback, with its own pages for login and consent. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string
  people: People
  /** Stops answering. */
  stop(): Promise<void>
}

export const CLIENT = { clientId: 'athanor', clientSecret: 'a secret of the client' }

/** Starts a provider that knows one client and requires PKCE. */
export async function startOpenIdProvider(
  redirectUris: string[],
  { post = false }: { post?: boolean } = {},
): Promise<OpenIdProvider> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: People = {}
  const provider = quietly(
    () =>
      new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: redirectUris,
            token_endpoint_auth_method: post ? 'client_secret_post' : 'client_secret_basic',
          },
        ],
        clientAuthMethods: [post ? 'client_secret_post' : 'client_secret_basic'],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
        pkce: { required: () => true },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
        cookies: { keys: ['of the test'] },
      }),
  )
  server.on('request', provider.callback())
  return { issuer, people, stop: () => stop(server), [Symbol.asyncDispose]: () => stop(server) }
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return
  server.closeAllConnections()
  await once(server.close(), 'close')
}

/** It warns that its settings are for development, which is true. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn() {}, info() {} })
  try {
    return make()
  } finally {
    Object.assign(console, { warn, info })
  }
}
