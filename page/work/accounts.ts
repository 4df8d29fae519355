import { AthanorError } from '../../client/client.ts'
import { applyLimits, type Facts } from '../state/facts.ts'
import type { Account } from '../state/reducer.ts'
import { loadSession, saveSession } from '../state/settings.ts'
import type { WorkContext } from './context.ts'

/** When this tab left for a provider, in epoch milliseconds, so that a stranger's link with a token signs nobody in. */
const LEAVING = 'athanor.signing-in'

/** Milliseconds in which the service expects the browser back. */
const SIGN_IN_TIMEOUT = 600_000

/** What the address of the page asks for: a new password, or the outcome of a provider's sign-in. */
export interface Arrival {
  resetToken?: string
  message?: string
}

/** Reads the address of the page once, and removes secrets from it. */
export function readArrival(): Arrival {
  const { pathname, hash } = location
  const left = takeDeparture()
  const values = new URLSearchParams(hash.slice(1))
  const token = values.get('token')
  if (!token && !values.has('error')) return {}
  if (pathname.endsWith('/reset')) {
    history.replaceState(null, '', pathname)
    return token ? { resetToken: token } : {}
  }
  history.replaceState(null, '', pathname)
  if (Date.now() - left > SIGN_IN_TIMEOUT) return {}
  if (token) saveSession(token)
  return token ? {} : { message: values.get('message') ?? '' }
}

/**
 * Returns when this tab left for a provider, once: whoever then opens the page in another way has given up the sign-in.
 */
function takeDeparture(): number {
  try {
    const left = Number(sessionStorage.getItem(LEAVING))
    sessionStorage.removeItem(LEAVING)
    return left
  } catch {
    // The browser forbids storage.
    return 0
  }
}

/** Signing in and out. The rest of the account is loaded when it is opened. */
export function createAccounts(
  { store, client }: Pick<WorkContext, 'store' | 'client'>,
  facts: Facts,
  refresh: () => void,
) {
  /** Reads the account again, such as after conversions. */
  async function load(): Promise<void> {
    if (!loadSession() && !facts.vouched) return
    try {
      const account: Account = await client.request('GET', 'api/users/me')
      applyLimits(facts, account.limits)
      store.dispatch({ type: 'account', account })
    } catch (error) {
      // The session has ended. A guest goes on.
      if (!(error instanceof AthanorError) || error.status !== 401) throw error
      saveSession(undefined)
    }
  }

  return {
    loadAccount: load,
    openAccount(open: boolean): void {
      store.dispatch({ type: 'accountOpen', open })
      // Conversions have changed the usage.
      if (open) void load().catch(() => {})
    },

    /** Uses the account of a session token from now on. */
    async enter(token: string): Promise<void> {
      saveSession(token)
      await load()
      refresh()
    },

    /** Starts anew as a guest: the files of the account are not a guest's. */
    signOut(): void {
      saveSession(undefined)
      location.assign(new URL('.', document.baseURI))
    },

    /** Leaves for a provider, which sends the browser back to the page. */
    leaveFor(url: string): void {
      sessionStorage.setItem(LEAVING, String(Date.now()))
      location.assign(new URL(url.replace(/^\//, ''), new URL('.', document.baseURI)))
    },
  }
}
