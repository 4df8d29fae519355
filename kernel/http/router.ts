import { createRequire } from 'node:module'
import type KoaRouterClass from '@koa/router'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import type { Context, Handler, Middleware } from './context.ts'
import type { Edge } from './endpoint.ts'
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

/** What a router returns for a path that it does not have. */
const NONE = { path: [], pathAndMethod: [] }

export function createRouter(kernel: Kernel, edge: Edge): Router {
  const endpoints = edge.resources.flatMap((resource) => resource.endpoints)
  const handlers = new Map<unknown, Handler>(endpoints.map((each) => [each, serveEndpoint(each, kernel, edge)]))
  const byId = new Map(endpoints.map((each) => [each.id, each]))
  // A router compares a path with each of its routes. One for each resource has few of them.
  const routers = new Map<string, KoaRouterClass>()
  for (const { method, path, id } of endpoints) {
    const start = startOf(path)
    if (!routers.has(start)) routers.set(start, new KoaRouter({ sensitive: true }))
    routers.get(start)!.register(path, [method], () => {}, { name: id })
  }
  const endpointOf = ({ name }: { name?: string | undefined }) => byId.get(name!)!
  const familyOf = createFamilyOf(endpoints)

  return {
    find(ctx, next) {
      const path = withKeyJoined(ctx.path)
      const { path: fitting, pathAndMethod } = routers.get(startOf(path))?.match(path, ctx.method) ?? NONE
      const [layer] = pathAndMethod
      ctx.state.operationsAtPath = fitting.map(endpointOf)
      ctx.state.operation = layer && endpointOf(layer)
      ctx.params = layer ? layer.params(path, layer.captures(path)) : {}
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

/** The first two segments of a path, in which no endpoint has a parameter. */
const startOf = (path: string) => /^\/[^/]*(?:\/[^/]+)?/.exec(path)?.[0] ?? ''

/** Some proxies decode `%2F` in paths. Encodes the slashes of a storage key again, so that the key is one segment. */
function withKeyJoined(path: string): string {
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
