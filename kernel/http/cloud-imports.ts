import { ServiceError } from '../errors.ts'
import { STATE_LIFETIME } from '../imports/connect-states.ts'
import type { CloudProvider } from '../imports/provider.ts'
import type { Kernel } from '../kernel.ts'
import { baseUrl } from './base-url.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { withinTime } from './deadline.ts'
import { importFileBody, listCloudFilesQuery } from './import-schemas.ts'
import { receiveImport } from './imports.ts'
import { readJson } from './json-body.ts'
import { createQueryReader } from './query.ts'
import { createCheck } from './validation.ts'

/** Names the browser that began a connection, to the callback alone. */
const COOKIE = 'athanor-connect'

/** GET /api/import/providers */
export function listProviders({ imports }: Kernel): Handler {
  return async (ctx) => {
    const providers = await imports.clouds.list(ctx.state.owner)
    const records = providers.map(({ provider, connected }) => providerRecord(provider, connected))
    sendJson(ctx, JSON.stringify({ providers: records }))
  }
}

/** POST /api/import/:provider/connect */
export function connectProvider({ config, imports }: Kernel): Handler {
  return async (ctx) => {
    const owner = requireUser(ctx)
    const request = { provider: ctx.params.provider!, body: () => readJson(ctx), redirectUri: callbackUrl(config, ctx) }
    const begun = await withinTime(config, ctx, (signal) => imports.clouds.connect(owner, request, signal))
    if (begun) ctx.set('Set-Cookie', cookie(ctx, begun.browser))
    sendJson(ctx, JSON.stringify({ authorizeUrl: begun?.authorizeUrl ?? null }))
  }
}

/** GET /api/import/:provider/callback: where a provider sends the browser back. */
export function finishConnection({ config, imports }: Kernel): Handler {
  return async (ctx) => {
    const callback = new URL(`${callbackUrl(config, ctx)}?${ctx.querystring}`)
    const by = { owner: ctx.state.owner, browser: ctx.cookies.get(COOKIE) }
    const answer = { provider: ctx.params.provider!, callback, by }
    const provider = await withinTime(config, ctx, (signal) => imports.clouds.finish(answer, signal))
    ctx.set('Set-Cookie', cookie(ctx, ''))
    sendJson(ctx, JSON.stringify({ provider: providerRecord(provider, true) }))
  }
}

/** GET /api/import/:provider/files */
export function listCloudFiles({ config, imports }: Kernel): Handler {
  const readQuery = createQueryReader<{ folder: string; cursor: string }>(listCloudFilesQuery)
  return async (ctx) => {
    const owner = requireUser(ctx)
    const query = { provider: ctx.params.provider!, ...readQuery(ctx) }
    const page = await withinTime(config, ctx, (signal) => imports.clouds.files(owner, query, signal))
    sendJson(ctx, JSON.stringify(page))
  }
}

/** POST /api/import/:provider */
export function importCloudFile(kernel: Kernel): Handler {
  const check = createCheck<{ ref: string }>(importFileBody, 'The body')
  return async (ctx) => {
    const owner = requireUser(ctx)
    const { ref } = check(await readJson(ctx))
    const file = { provider: ctx.params.provider!, ref }
    await receiveImport(kernel, ctx, (allowance) => kernel.imports.clouds.open(owner, file, allowance))
  }
}

/** DELETE /api/import/:provider */
export function disconnectProvider({ config, imports }: Kernel): Handler {
  return async (ctx) => {
    const owner = requireUser(ctx)
    await withinTime(config, ctx, (signal) => imports.clouds.disconnect(owner, ctx.params.provider!, signal))
    ctx.status = 204
  }
}

/** A provider, as the interface shows it. */
function providerRecord(provider: CloudProvider, connected: boolean) {
  const { name, label, kind } = provider
  const fields = kind === 'credentials' ? Object.entries(provider.fields) : []
  return {
    ...{ name, label, kind, connected },
    fields: fields.map(([field, { description, optional }]) => ({ name: field, description, required: !optional })),
  }
}

function requireUser({ state: { owner } }: Context) {
  if (owner.kind === 'user') return owner
  throw new ServiceError('UNAUTHORIZED', 'Cloud storage is for accounts: send an API key or a session token')
}

const callbackUrl = (config: Kernel['config'], ctx: Context) =>
  `${baseUrl(config, ctx)}/api/import/${encodeURIComponent(ctx.params.provider!)}/callback`

/** Lax: it comes along when the provider sends the browser here (RFC 6265bis §5.6.7). */
function cookie(ctx: Context, value: string): string {
  const path = `/api/import/${encodeURIComponent(ctx.params.provider!)}/callback`
  const secure = ctx.state.origin.secure ? '; Secure' : ''
  return `${COOKIE}=${value}; Path=${path}; Max-Age=${value ? STATE_LIFETIME : 0}; HttpOnly; SameSite=Lax${secure}`
}
