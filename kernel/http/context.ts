import type Koa from 'koa'
import type { Config } from '../../config/config.ts'
import type { User } from '../database/tables/users.ts'
import type { Code } from '../errors.ts'
import type { Owner } from '../people/owner.ts'
import type { Operation } from './operation.ts'
import type { RateFamily } from './rates/families.ts'

/** The origin of a request, and the host name that the client uses for the service. */
export interface RequestOrigin {
  /** The client's address in canonical form. An IPv4-mapped IPv6 address becomes IPv4. */
  address: string
  /** Whether the client speaks TLS, to us or to a trusted proxy. */
  secure: boolean
  /** Host and port by which the client reached the service. */
  host: string
  /** Whether a trusted proxy forwarded the request. */
  behindProxy: boolean
  /** The email address for which the trusted proxy vouches, if `accounts.trustedHeader` names a header. */
  vouched?: string
  /**
   * The clients that an untrusted peer names in forwarding headers, separated by commas; empty if it names none.
   * Undefined without such headers. It tells guests apart, and gives nobody more quota.
   */
  claimed?: string
}

/** Facts about a request that the middlewares find out, in the order in which they run. */
export interface State {
  /** Also the `X-Request-Id` of the response. */
  requestId: string
  origin: RequestOrigin
  /** Set under `/api` only. */
  owner: Owner
  /** The requested operation; undefined if there is none. */
  operation: Operation | undefined
  /** The same, once its handler runs: unset for requests that are refused before. */
  served?: Operation
  /** The operations at its path, whatever their method. */
  operationsAtPath: readonly Operation[]
  /** The rate family that counts the request; `ceiling` if the shared ceiling refused it. */
  family: RateFamily | 'ceiling' | undefined
  /** Whether the rate limits have counted it. */
  counted?: true
  /** The code of the refusal that was answered. */
  code?: Code
  /** Why the machine cannot serve the request now, for the log. */
  reason?: string
  /** The user of the session; undefined for guests and API keys. */
  user?: User
  /** When that user signed in, in epoch milliseconds. */
  signedInAt?: number | undefined
}

/** What the service adds to the context of Koa. */
export interface Additions {
  /** Client timeouts, as configured. */
  timeouts: Config['http']
  /** Decoded path parameters, set by the router. */
  params: Record<string, string>
}

/** One request, as the middlewares and the handlers see it. */
export type Context = Koa.ParameterizedContext<State, Additions>

export type Middleware = Koa.Middleware<State, Additions>

/** Does nothing: the middleware for a check that the configuration does not need. */
export const pass: Middleware = (_ctx, next) => next()

/** Whether the path belongs to the interface, or to a door into it, rather than to the operating endpoints. */
export const isApiPath = (path: string) => /^\/(?:api|mcp|forms)(?:\/|$)/.test(path)

/** Sends a value as JSON. */
export function sendJson(ctx: Context, value: object, status = 200): void {
  ctx.status = status
  ctx.type = 'application/json'
  ctx.body = JSON.stringify(value)
}

/**
 * The URL of the service's root, without a slash at the end: as configured, else as the request names it. Never mail
 * the second kind: the client chooses its host.
 */
export const baseUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, { state: { origin } }: Context) =>
  publicUrl ?? `${origin.secure ? 'https' : 'http'}://${origin.host}`

/** A path as clients see it: a proxy may serve the root under the path of `publicUrl`, which it removes. */
export const publicPath = ({ publicUrl }: Pick<Config, 'publicUrl'>, path: string) =>
  new URL(`${publicUrl ?? 'http://localhost'}${path}`).pathname

/**
 * Sets a cookie that only this URL gets, and no script can read. A browser sends it along when another site sends it
 * here (Lax, RFC 6265bis §5.6.7).
 */
export function setCookie(ctx: Context, name: string, value: string, to: { url: string; seconds: number }): void {
  const { pathname, protocol } = new URL(to.url)
  const secure = protocol === 'https:' ? '; Secure' : ''
  const rules = `Path=${pathname}; Max-Age=${to.seconds}; HttpOnly; SameSite=Lax${secure}`
  ctx.set('Set-Cookie', `${name}=${value}; ${rules}`)
}
