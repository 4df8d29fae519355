import type { ParameterizedContext } from 'koa'
import type { Config } from '../../config/config.ts'
import type { Owner } from '../accounts/owner.ts'
import type { User } from '../database/tables/users.ts'
import type { Code } from '../errors.ts'
import type { Origin } from './origin.ts'
import type { Family } from './rate-families.ts'

/** What the middlewares learn about a request, in the order in which they run. */
export interface State {
  /** Also the `X-Request-Id` of the response. */
  requestId: string
  origin: Origin
  /** Set under `/api` only. */
  owner: Owner
  /** Of the refusal that was answered. */
  code?: Code
  /** What the request's rate was judged by. */
  family?: Family | 'ceiling'
  /** Whose session it is; unset for guests and API keys. */
  user?: User
}

/** One request, as the middlewares and the routes' handlers see it. */
export type Context = ParameterizedContext<State> & {
  /** How long is waited for a client. */
  patience: Config['http']
  /** Decoded path parameters, set by the router. */
  params: Record<string, string>
  /** The template that matched, set by the router. */
  _matchedRoute?: string | RegExp
  /** The templates that fit the path whatever the method, set by the router. */
  matched?: readonly { methods: readonly string[] }[]
}

export type Middleware = (ctx: Context, next: () => Promise<unknown>) => unknown

/** Answers one route. */
export type Handler = (ctx: Context) => unknown

/** Whether the path belongs to the interface, rather than to the operating endpoints. */
export const isApiPath = (path: string) => path.startsWith('/api/') || path === '/api'

/** Sends JSON that is text already. */
export function sendJson(ctx: Context, json: string, status = 200): void {
  ctx.status = status
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = json
}
