import type { SignedIn } from '../accounts/accounts.ts'
import type { User } from '../database/tables/users.ts'
import type { Kernel } from '../kernel.ts'
import { changePasswordBody, confirmResetBody, loginBody, registerBody, requestResetBody } from './account-schemas.ts'
import { baseUrl } from './base-url.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { requireSession } from './identity.ts'
import { readJson } from './json-body.ts'
import { noteFailedSignIn } from './sign-in-guard.ts'
import { createCheck } from './validation.ts'

/** A user, as the interface shows it. */
const userRecord = ({ id, email, name, plan, status, created_at }: User) => ({
  ...{ id, email, name, plan, status },
  createdAt: new Date(Number(created_at)).toISOString(),
})

/** Sends what a sign-in gives. */
export function sendSignedIn(ctx: Context, { token, user }: SignedIn, status = 200): void {
  sendJson(ctx, JSON.stringify({ token, user: userRecord(user) }), status)
}

/** POST /api/auth/register */
export function register({ accounts }: Kernel): Handler {
  const check = createCheck<{ email: string; password: string; name?: string }>(registerBody, 'The body')
  return async (ctx) => sendSignedIn(ctx, await accounts.register(check(await readJson(ctx))), 201)
}

/** POST /api/auth/login */
export function login({ accounts, log }: Kernel): Handler {
  const check = createCheck<{ email: string; password: string }>(loginBody, 'The body')
  return async (ctx) => {
    const request = check(await readJson(ctx))
    sendSignedIn(ctx, await noteFailedSignIn(log, ctx, 'password', accounts.login(request)))
  }
}

/** GET /api/users/me */
export function showMe({ config, usage }: Kernel): Handler {
  return async (ctx) => {
    const user = requireSession(ctx)
    sendJson(
      ctx,
      JSON.stringify({ user: userRecord(user), usage: await usage(ctx.state.owner), limits: config.plans[user.plan] }),
    )
  }
}

/** POST /api/users/me/password */
export function changePassword({ accounts, log }: Kernel): Handler {
  const check = createCheck<{ currentPassword: string; password: string }>(changePasswordBody, 'The body')
  return async (ctx) => {
    const user = requireSession(ctx)
    const request = check(await readJson(ctx))
    const changed = accounts.changePassword(user, request)
    sendSignedIn(ctx, await noteFailedSignIn(log, ctx, 'current password', changed))
  }
}

/** POST /api/auth/password-reset: the same answer, whoever has the address. */
export function requestReset({ accounts, config }: Kernel): Handler {
  const check = createCheck<{ email: string }>(requestResetBody, 'The body')
  return async (ctx) => {
    const { email } = check(await readJson(ctx))
    accounts.resets.request(email, baseUrl(config, ctx))
    sendJson(ctx, '{"status":"accepted"}', 202)
  }
}

/** POST /api/auth/password-reset/confirm */
export function confirmReset({ accounts, log }: Kernel): Handler {
  const check = createCheck<{ token: string; password: string }>(confirmResetBody, 'The body')
  return async (ctx) => {
    const { token, password } = check(await readJson(ctx))
    await noteFailedSignIn(log, ctx, 'reset token', accounts.resets.confirm(token, password))
    ctx.status = 204
  }
}
