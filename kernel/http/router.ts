import KoaRouter from '@koa/router'
import type { Kernel } from '../boot/kernel.ts'
import { ServiceError } from '../errors.ts'
import type { Additions, Context, Middleware, State } from './context.ts'
import type { Edge } from './endpoint.ts'
import type { RateFamily } from './rates/families.ts'

/** Finds the operation of a request early, for all that depends on it, and runs its handler at the end. */
export interface Router {
  /** Records the operation and the family of its rate limits in the state. */
  find: Middleware
  /** Runs the handler. @throws ServiceError what the handler throws. */
  dispatch: Middleware
  /** Answers what has no handler. @throws ServiceError NOT_FOUND, METHOD_NOT_ALLOWED. */
  refuse: Middleware
}

/** A storage key whose slashes are not encoded: `uploads/2026/11/21/<id>/<name>`, perhaps followed by `/download`. */
const OPEN_KEY = /^\/api\/files\/((?:uploads|outputs)\/\d{4}\/\d\d\/\d\d\/[^/]+\/[^/]+)(\/download)?$/

export function createRouter(kernel: Kernel, edge: Edge): Router {
  const endpoints = edge.resources.flatMap((resource) => resource.endpoints)
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const router = new KoaRouter<State, Additions>({ sensitive: true })
  for (const endpoint of endpoints) {
    router.register(endpoint.path, [endpoint.method], endpoint.serve(kernel, edge), { name: endpoint.id })
  }

  return {
    find(ctx, next) {
      ctx.path = withKeyJoined(ctx.path)
      const { path, pathAndMethod } = router.match(ctx.path, ctx.method)
      ctx.state.operationsAtPath = path.flatMap(({ name = '' }) => byId.get(name) ?? [])
      ctx.state.operation = byId.get(pathAndMethod[0]?.name ?? '')
      ctx.state.family = familyOf(ctx)
      return next()
    },
    // It adds what its types demand.
    dispatch: router.routes() as Middleware,
    refuse: (ctx) => refuse(kernel, ctx),
  }
}

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

/**
 * Returns the family of a request's rate limits. Undefined: only the ceiling counts the request. Another method of a
 * known path counts as the first one.
 */
function familyOf({ method, querystring, state: { operation, operationsAtPath } }: Context): RateFamily | undefined {
  if (method === 'OPTIONS') return undefined
  const { rate, rateOfFurtherPages } = operation ?? operationsAtPath[0] ?? { rate: 'requests' as const }
  // Otherwise a guest could not read the catalogue to its end.
  if (rateOfFurtherPages && new URLSearchParams(querystring).get('cursor')) return rateOfFurtherPages
  return rate === 'none' ? undefined : rate
}
