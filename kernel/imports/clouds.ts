import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { ServiceError } from '../errors.ts'
import { fieldsOf } from '../fields.ts'
import { isSameBrowser, type OAuthStates } from '../people/oauth-states.ts'
import type { Owner } from '../people/owner.ts'
import { isCredentialRefused } from './answers.ts'
import type { Client } from './client.ts'
import type { Connection, Connections } from './connections.ts'
import { createOffer, type Offered } from './offer.ts'
import type { CloudPage, CloudProvider, CredentialProvider, Credentials, Drive, Tokens } from './provider.ts'
import { createTokenSessions, notConnected } from './session.ts'
import type { Allowance, RemoteFile } from './source.ts'

/** Cloud storage that users connect. Methods throw NOT_FOUND for a provider that is not offered. */
export interface Clouds {
  /** Lists the offered providers, and whether the owner has connected each. */
  list(owner: Owner): Promise<{ provider: CloudProvider; connected: boolean }[]>
  /** Starts OAuth: returns the URL to open and the browser's proof. Connects at once with credentials. */
  connect(
    owner: Owner,
    request: { provider: string; body: () => Promise<unknown>; redirectUri: string },
    signal: AbortSignal,
  ): Promise<{ authorizeUrl: string; browser: string } | undefined>
  /** Completes OAuth. `by` describes the caller, who must be the same browser or the account that started it. */
  finish(
    answer: { provider: string; callback: URL; by: { owner: Owner; browser: string | undefined } },
    signal: AbortSignal,
  ): Promise<CloudProvider>
  files(
    owner: Owner,
    query: { provider: string; folder?: string; cursor?: string },
    signal: AbortSignal,
  ): Promise<CloudPage>
  open(owner: Owner, file: { provider: string; ref: string }, allowance: Allowance): Promise<RemoteFile>
  /** Deletes the connection, and revokes the permission if the provider supports it. */
  disconnect(owner: Owner, provider: string, signal: AbortSignal): Promise<void>
}

export async function createClouds(
  { imports }: Pick<Config, 'imports'>,
  client: Client,
  connections: Connections,
  states: OAuthStates,
  log: Logger,
): Promise<Clouds> {
  const offer = await createOffer(imports.providers, client)
  const sessionOf = createTokenSessions(client, connections)

  async function connectionOf(owner: Owner, { provider: { name, label } }: Offered): Promise<Connection> {
    const connection = await connections.find(owner.id, name)
    if (!connection) throw notConnected(label)
    return connection
  }

  async function driveOf(owner: Owner, name: string): Promise<Drive> {
    const found = offer.get(name)
    const connection = await connectionOf(owner, found)
    if ('app' in found) return found.provider.drive(found.app, sessionOf(found, connection))
    return found.provider.drive(connection.secret as Credentials, client)
  }

  return {
    async list(owner) {
      const connected = owner.kind === 'user' ? await connections.providersOf(owner.id) : []
      return offer.all.map(({ provider }) => ({ provider, connected: connected.includes(provider.name) }))
    },

    async connect(owner, { provider: name, body, redirectUri }, signal) {
      const found = offer.get(name)
      if ('app' in found) {
        const state = await states.make(name, owner.id)
        return { authorizeUrl: await found.flow.authorizeUrl(state, redirectUri), browser: state.browser }
      }
      const { provider } = found
      const secret = provider.check(checkCredentials(await body(), provider.fields), client)
      await tryOut(provider.drive(secret, client), provider, signal)
      await connections.put({ owner: owner.id, provider: name, secret, createdAt: Date.now() })
      return undefined
    },

    async finish({ provider: name, callback, by }, signal) {
      const found = offer.get(name)
      const state = await states.check(name, callback.searchParams.get('state') ?? '')
      if (!('app' in found) || !state) {
        throw new ServiceError(
          'BAD_REQUEST',
          'state must belong to a connection started within the last 10 minutes; start again',
        )
      }
      if (by.owner.id !== state.subject && !isSameBrowser(state, by.browser)) {
        const how = 'that started it, or send this request with the credentials of the account that started it'
        throw new ServiceError('UNAUTHORIZED', `The connection must be finished in the browser ${how}`)
      }
      const secret = await found.flow.finish(callback, state, signal)
      await connections.put({ owner: state.subject, provider: name, secret, createdAt: Date.now() })
      return found.provider
    },

    async files(owner, { provider, ...query }, signal) {
      return (await driveOf(owner, provider)).list(query, signal)
    },

    async open(owner, { provider, ref }, allowance) {
      return (await driveOf(owner, provider)).open(ref, allowance)
    },

    async disconnect(owner, name, signal) {
      const found = offer.get(name)
      const connection = await connectionOf(owner, found)
      // Delete it first, so that the connection ends even if the provider fails to revoke it.
      await connections.remove(connection)
      if (!('app' in found) || !found.provider.revoke) return
      const send = sessionOf(found, connection)
      try {
        const { status, body } = await found.provider.revoke(found.app, send, connection.secret as Tokens, signal)
        body.destroy()
        if (status !== 200) log.warn({ provider: name, status }, 'permission forgotten, not revoked')
      } catch (error) {
        log.warn({ provider: name, reason: (error as Error).message }, 'permission forgotten, not revoked')
      }
    },
  }
}

/** Tests a credential before it is stored. @throws ServiceError BAD_REQUEST, IMPORT_FAILED. */
async function tryOut(drive: Drive, { label }: CloudProvider, signal: AbortSignal): Promise<void> {
  try {
    await drive.list({}, signal)
  } catch (error) {
    if (isCredentialRefused(error)) {
      throw new ServiceError('BAD_REQUEST', `The ${label} does not accept the credentials`, { cause: error })
    }
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') {
      throw new ServiceError('BAD_REQUEST', `There is no such ${label} at that address`, { cause: error })
    }
    throw error
  }
}

/** Maximum characters of one value. */
const MAX_CREDENTIAL = 4096

/** Reads the fields that a provider needs from a body; ignores other fields. @throws ServiceError BAD_REQUEST. */
function checkCredentials(body: unknown, fields: CredentialProvider['fields']): Credentials {
  const given = fieldsOf(body)
  const found: Record<string, string> = {}
  for (const [name, { optional }] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined && optional) continue
    if (typeof value !== 'string' || !value || value.length > MAX_CREDENTIAL) {
      throw new ServiceError('BAD_REQUEST', `${name} must be a string of 1 to ${MAX_CREDENTIAL} characters`)
    }
    found[name] = value
  }
  return found
}
