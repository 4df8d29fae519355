import type { ApiKey } from '../database/tables/api-keys.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { createKeyBody } from './account-schemas.ts'
import { type Handler, sendJson } from './context.ts'
import { requireSession } from './identity.ts'
import { readJson } from './json-body.ts'
import { createCheck } from './validation.ts'

/** An API key, as the interface shows it: never its secret. */
const keyRecord = ({ id, name, prefix, created_at, last_used_at, expires_at }: ApiKey, overLimit = false) => ({
  ...{ id, name, prefix },
  createdAt: timeOf(created_at),
  lastUsedAt: timeOf(last_used_at),
  expiresAt: timeOf(expires_at),
  ...(overLimit && { overLimit }),
})

const timeOf = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())

/** GET /api/api-keys */
export function listKeys({ accounts }: Kernel): Handler {
  return async (ctx) => {
    const keys = await accounts.keys.list(requireSession(ctx))
    sendJson(ctx, JSON.stringify({ apiKeys: keys.map((key) => keyRecord(key, key.overLimit)) }))
  }
}

/** POST /api/api-keys */
export function createKey({ accounts, log }: Kernel): Handler {
  const check = createCheck<{ name: string; expiresAt?: string }>(createKeyBody, 'The body')
  return async (ctx) => {
    const user = requireSession(ctx)
    const { name, expiresAt } = check(await readJson(ctx))
    const expiry = expiresAt === undefined ? null : Date.parse(expiresAt)
    if (expiry !== null && expiry <= Date.now()) {
      throw new ServiceError('BAD_REQUEST', 'expiresAt must be in the future')
    }
    const { apiKey, key } = await accounts.keys.create(user, { name, expiresAt: expiry })
    log.info({ user: user.id, key: apiKey.id }, 'API key made')
    sendJson(ctx, JSON.stringify({ apiKey: keyRecord(apiKey), key }), 201)
  }
}

/** DELETE /api/api-keys/:id */
export function revokeKey({ accounts, log }: Kernel): Handler {
  return async (ctx) => {
    const user = requireSession(ctx)
    await accounts.keys.revoke(user, ctx.params.id!)
    log.info({ user: user.id, key: ctx.params.id }, 'API key revoked')
    ctx.status = 204
  }
}
