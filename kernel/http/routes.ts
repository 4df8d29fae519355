import Router, { type RouterMiddleware } from '@koa/router'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { changePassword, confirmReset, login, register, requestReset, showMe } from './accounts.ts'
import { createKey, listKeys, revokeKey } from './api-keys.ts'
import { showBatch, startBatch } from './batches.ts'
import { listFormats, listTools, showTool } from './catalogue.ts'
import {
  connectProvider,
  disconnectProvider,
  finishConnection,
  importCloudFile,
  listCloudFiles,
  listProviders,
} from './cloud-imports.ts'
import type { Handler, Middleware } from './context.ts'
import { listConversions, removeConversion, showConversion, startConversion } from './conversions.ts'
import { download } from './download.ts'
import { beginSignIn, endSignIn, listSignInProviders } from './external-sign-in.ts'
import { removeFile, showFile } from './files.ts'
import { reportLife, reportReadiness } from './health.ts'
import { importUrl } from './imports.ts'
import type { Metrics } from './metrics.ts'
import { reportMetrics } from './metrics-access.ts'
import { serveDocument } from './openapi.ts'
import { acceptInvitation, declineInvitation, listInvitations } from './team-invitations.ts'
import { changeTeam, createTeam, listTeams, removeTeam, showTeam } from './teams.ts'
import { receiveUpload } from './uploads.ts'

export type Route = [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, handler: Handler]

/** Every route. The OpenAPI document describes the same ones. */
export const createRoutes = (kernel: Kernel, metrics: Metrics): Route[] => [
  ['GET', '/api/conversions/:id', showConversion(kernel)],
  ['GET', '/api/conversions', listConversions(kernel)],
  ['POST', '/api/conversions', startConversion(kernel)],
  ['DELETE', '/api/conversions/:id', removeConversion(kernel)],
  ['POST', '/api/conversions/batch', startBatch(kernel)],
  ['GET', '/api/conversions/batch/:id', showBatch(kernel)],
  ['POST', '/api/uploads', receiveUpload(kernel)],
  ['POST', '/api/import/url', importUrl(kernel)],
  ['GET', '/api/import/providers', listProviders(kernel)],
  ['POST', '/api/import/:provider/connect', connectProvider(kernel)],
  ['GET', '/api/import/:provider/callback', finishConnection(kernel)],
  ['GET', '/api/import/:provider/files', listCloudFiles(kernel)],
  ['POST', '/api/import/:provider', importCloudFile(kernel)],
  ['DELETE', '/api/import/:provider', disconnectProvider(kernel)],
  ['GET', '/api/files/:id/download', download(kernel)],
  ['GET', '/api/files/:id', showFile(kernel)],
  ['DELETE', '/api/files/:id', removeFile(kernel)],
  ['GET', '/api/tools', listTools(kernel)],
  ['GET', '/api/tools/:slug', showTool(kernel)],
  ['GET', '/api/formats', listFormats(kernel)],
  ['GET', '/api/openapi.json', serveDocument(kernel)],
  ['POST', '/api/auth/register', register(kernel)],
  ['POST', '/api/auth/login', login(kernel)],
  ['POST', '/api/auth/password-reset', requestReset(kernel)],
  ['POST', '/api/auth/password-reset/confirm', confirmReset(kernel)],
  ['POST', '/api/users/me/password', changePassword(kernel)],
  ['GET', '/api/auth/providers', listSignInProviders(kernel)],
  ['GET', '/api/auth/:provider', beginSignIn(kernel)],
  ['GET', '/api/auth/:provider/callback', endSignIn(kernel)],
  ['GET', '/api/users/me', showMe(kernel)],
  ['GET', '/api/api-keys', listKeys(kernel)],
  ['POST', '/api/api-keys', createKey(kernel)],
  ['DELETE', '/api/api-keys/:id', revokeKey(kernel)],
  ['GET', '/api/teams', listTeams(kernel)],
  ['POST', '/api/teams', createTeam(kernel)],
  ['GET', '/api/teams/invitations', listInvitations(kernel)],
  ['POST', '/api/teams/invitations/:id/accept', acceptInvitation(kernel)],
  ['DELETE', '/api/teams/invitations/:id', declineInvitation(kernel)],
  ['GET', '/api/teams/:id', showTeam(kernel)],
  ['PATCH', '/api/teams/:id', changeTeam(kernel)],
  ['DELETE', '/api/teams/:id', removeTeam(kernel)],
  ['GET', '/healthz', reportLife],
  ['GET', '/readyz', reportReadiness(kernel)],
  ['GET', '/metrics', reportMetrics(metrics, kernel.config)],
]

/** A storage key with its slashes as they are: `uploads/2026/11/21/<id>/<name>`, behind it perhaps `/download`. */
const OPEN_KEY = /^\/api\/files\/((?:uploads|outputs)\/\d{4}\/\d\d\/\d\d\/[^/]+\/[^/]+)(\/download)?$/

/** Some proxies decode `%2F` in paths. Makes one segment of a key again, so that its route is found. */
const joinKeys: Middleware = (ctx, next) => {
  const [, key, rest = ''] = OPEN_KEY.exec(ctx.path) ?? []
  if (key) ctx.path = `/api/files/${encodeURIComponent(decodeURIComponent(key))}${rest}`
  return next()
}

/** Hands a request to its route; GET answers HEAD too. */
export function routeRequests(kernel: Kernel, metrics: Metrics): Middleware {
  const router = new Router({ sensitive: true })
  for (const [method, path, handler] of createRoutes(kernel, metrics)) {
    router.register(path, [method], handler as unknown as RouterMiddleware)
  }
  const route = router.routes() as unknown as Middleware
  return (ctx, next) => joinKeys(ctx, () => route(ctx, next) as Promise<unknown>)
}

/** Answers what no route took: OPTIONS, another method of a known path, or an unknown path. */
export const refuseUnrouted: Middleware = (ctx) => {
  const methods = new Set((ctx.matched ?? []).flatMap((route) => route.methods))
  if (!methods.size) throw new ServiceError('NOT_FOUND', 'There is nothing at this path; see GET /api/openapi.json')
  ctx.set('Allow', [...methods, 'OPTIONS'].sort().join(', '))
  if (ctx.method !== 'OPTIONS') {
    throw new ServiceError(
      'METHOD_NOT_ALLOWED',
      `${ctx.method} is not allowed here; allowed: ${[...methods].sort().join(', ')}`,
    )
  }
  ctx.status = 204
}
