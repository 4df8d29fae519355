import type { AccountPlan } from '../../kernel/database/tables/users.ts'
import { get, post, type Service } from '../harness/service.ts'

export const PASSWORD = 'correct horse battery'

/** An account of a test, with the headers of its session. */
export interface Person {
  id: string
  email: string
  token: string
  session: { authorization: string }
}

let made = 0

/** Registers somebody over HTTP and sets the plan of the account. */
export async function signUp(service: Service, plan: AccountPlan = 'free', headers = {}): Promise<Person> {
  const email = `person${++made}@example.org`
  const { token, user } = (await post(service, '/api/auth/register', { email, password: PASSWORD }, headers)).json
  await service.kernel.accounts.users.change(user.id, { plan })
  return { id: user.id, email, token, session: bearer(token) }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Creates an API key. `bySecret` and `byBearer` are the two forms in which it is sent. */
export async function makeKey(service: Service, { session }: Person, more = {}) {
  const { apiKey, key } = (await post(service, '/api/api-keys', { name: 'test', ...more }, session)).json
  return {
    id: apiKey.id as string,
    key: key as string,
    bySecret: { 'x-api-key': key as string },
    byBearer: bearer(key),
  }
}

/** Accepts the newest invitation of each of these people. */
export async function acceptAll(service: Service, ...people: readonly Person[]): Promise<void> {
  for (const { session } of people) {
    const [newest] = (await get(service, '/api/teams/invitations', session)).json.invitations
    await post(service, `/api/teams/invitations/${newest.id}/accept`, {}, session)
  }
}
