import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { type Handler, sendJson } from './context.ts'

/** GET /healthz: the process answers. */
export const reportLife: Handler = (ctx) => sendJson(ctx, '{"status":"ok"}')

/** GET /readyz: whether everything that work needs is there. The refusal names the parts that are not. */
export function reportReadiness(kernel: Kernel): Handler {
  return async (ctx) => {
    const { ready, parts } = await kernel.health()
    if (!ready) {
      const broken = Object.entries(parts).filter(([, part]) => !part.ok)
      const names = broken.map(([name, { detail }]) => (detail ? `${name} (${detail})` : name))
      throw new ServiceError('NOT_READY', `Not ready: ${names.join(', ')}`, { retryAfter: 5 })
    }
    sendJson(ctx, JSON.stringify({ status: 'ready', parts }))
  }
}
