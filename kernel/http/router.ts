import { createRequire } from 'node:module'
import type KoaRouterClass from '@koa/router'
import type { Kernel } from '../boot/kernel.ts'
import { ServiceError } from '../errors.ts'
import type { Context, Handler, Middleware } from './context.ts'
import type { Edge, Endpoint } from './endpoint.ts'
import { createFamilyOf } from './rates/family-of.ts'
import { serveEndpoint } from './serve.ts'

/** Finds the operation of a request early, for all that depends on it, and runs its handler at the end. */
export interface Router {
  /** Notes the operation, its path parameters and the family of its rate limits. */
  find: Middleware
  /** Runs the handler. @throws ServiceError NOT_FOUND, METHOD_NOT_ALLOWED; and what the handler throws. */
  dispatch: Middleware
}

/** A storage key whose slashes are not encoded: `uploads/2026/11/21/<id>/<name>`, perhaps followed by `/download`. */
const OPEN_KEY = /^\/api\/files\/((?:uploads|outputs)\/\d{4}\/\d\d\/\d\d\/[^/]+\/[^/]+)(\/download)?$/

// As an ES module it would import node:http (node-http.ts).
const KoaRouter: typeof KoaRouterClass = createRequire(import.meta.url)('@koa/router').default

interface Route {
  layer: KoaRouterClass['stack'][number]
  endpoint: Endpoint
}

export function createRouter(kernel: Kernel, edge: Edge): Router {
  const endpoints = edge.resources.flatMap((resource) => resource.endpoints)
  const handlers = new Map<unknown, Handler>(endpoints.map((each) => [each, serveEndpoint(each, kernel, edge)]))
  const koaRouter = new KoaRouter({ sensitive: true })
  // The router would compare a path with every route, and note each comparison.
  const routes = new Map<string, Route[]>()
  for (const endpoint of endpoints) {
    const start = startOf(endpoint.path)
    koaRouter.register(endpoint.path, [endpoint.method], () => {})
    routes.set(start, [...(routes.get(start) ?? []), { layer: koaRouter.stack.at(-1)!, endpoint }])
  }
  const familyOf = createFamilyOf(endpoints)

  return {
    find(ctx, next) {
      const path = withKeyJoined(ctx.path)
      const { state, method } = ctx
      const fitting: Endpoint[] = []
      state.operationsAtPath = fitting
      state.operation = undefined
      ctx.params = {}
      for (const { layer, endpoint } of routes.get(startOf(path)) ?? NONE) {
        if (!layer.match(path)) continue
        fitting.push(endpoint)
        if (state.operation || !layer.methods.includes(method)) continue
        state.operation = endpoint
        if (layer.paramNames.length) ctx.params = layer.params(path, layer.captures(path))
      }
      ctx.state.family = familyOf(ctx)
      return next()
    },
    dispatch(ctx) {
      const { operation } = ctx.state
      if (!operation) return refuse(kernel, ctx)
      ctx.state.served = operation
      return handlers.get(operation)!(ctx)
    },
  }
}

const NONE: readonly Route[] = []

/** The first two segments of a path, in which no endpoint has a parameter. */
function startOf(path: string): string {
  const first = path.indexOf('/', 1)
  const end = first < 0 ? -1 : path.indexOf('/', first + 1)
  if (end < 0) return first === path.length - 1 ? path.slice(0, first) : path
  return path.slice(0, end === first + 1 ? first : end)
}

/** Some proxies decode `%2F` in paths. Encodes the slashes of a storage key again, so that the key is one segment. */
function withKeyJoined(path: string): string {
  if (!path.startsWith('/api/files/')) return path
  const [, key, rest = ''] = OPEN_KEY.exec(path) ?? []
  if (!key) return path
  try {
    return `/api/files/${encodeURIComponent(decodeURIComponent(key))}${rest}`
  } catch {
    // A later check refuses broken percent-encoding.
    return path
  }
}

/** Answers OPTIONS, another method of a known path, and an unknown path. */
function refuse(kernel: Kernel, ctx: Context): void {
  const found = ctx.state.operationsAtPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  const methods = [...new Set(found)]
  if (!methods.length) {
    const where =
      kernel.config.role === 'worker' ? 'this node only converts; ask another one' : 'see GET /api/openapi.json'
    throw new ServiceError('NOT_FOUND', `There is nothing at this path; ${where}`)
  }
  ctx.set('Allow', [...methods, 'OPTIONS'].sort().join(', '))
  if (ctx.method !== 'OPTIONS') {
    throw new ServiceError(
      'METHOD_NOT_ALLOWED',
      `${ctx.method} is not allowed here; allowed: ${methods.sort().join(', ')}`,
    )
  }
  for (const { discover } of ctx.state.operationsAtPath) if (discover) ctx.set(discover(kernel, ctx.state.owner))
  ctx.status = 204
}
