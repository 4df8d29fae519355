import type { Kernel } from '../boot/kernel.ts'
import { createSendCacheable } from './answer/cacheable.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { type Edge, type Endpoint, SENT } from './endpoint.ts'
import { actingOwner } from './identity/acting-owner.ts'
import { requireAccount, requireSession } from './identity/identity.ts'
import { jsonBodyOf, querySchemaOf } from './operation.ts'
import { readJson } from './request/json-body.ts'
import { createQueryReader } from './request/query.ts'
import { createCheck } from './request/validation.ts'

/**
 * Makes the handler of an endpoint. It checks what the endpoint declares in this order: authentication, team, query,
 * body, and the first two again once the body is read. Then it runs the endpoint's own handler and sends the result as
 * the endpoint's answer.
 */
export function serveEndpoint(endpoint: Endpoint, kernel: Kernel, edge: Edge): Handler {
  const { authentication, forTeams } = endpoint
  const run = endpoint.handle(kernel, edge)
  const schema = querySchemaOf(endpoint, kernel.catalogue.categories)
  const readQuery = schema && !endpoint.readsQuery ? createQueryReader(schema) : undefined
  const body = endpoint.bodyOptional ? undefined : jsonBodyOf(endpoint)
  const check = body && createCheck(body, 'The body')
  const send = createSend(endpoint)

  async function requireClient(ctx: Context) {
    const user = authentication === 'session' ? requireSession(ctx) : undefined
    if (authentication === 'account') requireAccount(ctx)
    return { user, owner: forTeams ? await actingOwner(kernel, ctx) : ctx.state.owner }
  }

  return async (ctx) => {
    let client = await requireClient(ctx)
    const query = readQuery?.(ctx) ?? {}
    const body = check?.(await readJson(ctx))
    if (check) {
      // A body can be held back until the credential is revoked, or the member has been removed from the team.
      await edge.identify(ctx, () => {})
      client = await requireClient(ctx)
    }
    const result = await run({ ctx, ...client, query, body: body as never })
    if (result !== SENT) await send(ctx, result as never)
  }
}

/** Makes what sends the result of a handler. */
function createSend({ answer, cacheable }: Endpoint): (ctx: Context, result: never) => unknown {
  const { status, body, location } = answer
  if (!body) return (ctx) => status === 204 && (ctx.status = 204)
  const sendCacheable = cacheable && createSendCacheable()
  return (ctx, result) => {
    if (location) ctx.set('Location', location(result))
    return sendCacheable ? sendCacheable(ctx, body.write(result)) : sendJson(ctx, body.write(result), status)
  }
}
