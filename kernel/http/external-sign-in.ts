import { FLOW_LIFETIME } from '../accounts/external/seal.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { sendSignedIn } from './accounts.ts'
import { baseUrl } from './base-url.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { noteFailedSignIn } from './sign-in-guard.ts'

/** The cookie in which a browser keeps its sign-in under way. */
const COOKIE = 'athanor_sign_in'

/** GET /api/auth/providers */
export function listSignInProviders({ accounts }: Kernel): Handler {
  const providers = accounts.external.providers.map(({ id, name }) => ({ id, name, url: `/api/auth/${id}` }))
  return (ctx) => sendJson(ctx, JSON.stringify({ providers }))
}

/** GET /api/auth/:provider: sends the browser there. */
export function beginSignIn({ accounts, config }: Kernel): Handler {
  return async (ctx) => {
    const path = `/api/auth/${ctx.params.provider}/callback`
    const redirectUri = baseUrl(config, ctx) + path
    const { location, sealed } = await accounts.external.begin(ctx.params.provider!, redirectUri)
    setCookie(ctx, new URL(redirectUri), sealed, FLOW_LIFETIME)
    redirect(ctx, location)
  }
}

/** GET /api/auth/:provider/callback: the browser is back. Answers as a login, or goes on to the operator's page. */
export function endSignIn({ accounts, config, log }: Kernel): Handler {
  const { returnUrl } = config.accounts
  return async (ctx) => {
    const provider = ctx.params.provider!
    setCookie(ctx, new URL(baseUrl(config, ctx) + ctx.path), '', 0)
    try {
      const end = accounts.external.end(provider, new URLSearchParams(ctx.querystring), ctx.cookies.get(COOKIE))
      const user = await noteFailedSignIn(log, ctx, 'provider', end)
      const signedIn = await accounts.signIn(user, provider)
      if (returnUrl) redirect(ctx, `${returnUrl}#token=${signedIn.token}`)
      else sendSignedIn(ctx, signedIn)
    } catch (error) {
      if (!returnUrl || !(error instanceof ServiceError)) throw error
      redirect(ctx, `${returnUrl}#${new URLSearchParams({ error: error.code, message: error.message })}`)
    }
  }
}

function redirect(ctx: Context, location: string): void {
  ctx.status = 302
  ctx.set('Location', location)
}

/** For that provider's callback alone, out of reach of scripts, and sent when the provider sends the browser back. */
function setCookie(ctx: Context, callback: URL, value: string, seconds: number): void {
  const secure = callback.protocol === 'https:' ? '; Secure' : ''
  const rules = `Path=${callback.pathname}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  ctx.set('Set-Cookie', `${COOKIE}=${value}; ${rules}`)
}
