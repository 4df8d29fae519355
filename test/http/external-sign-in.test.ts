/** Sign-in with providers: a certified OpenID Connect provider, and a server that behaves as GitHub. */
import t from 'tap'
import { ahead } from '../harness/clock.ts'
import { type Browser, createBrowser } from '../harness/cookies.ts'
import { startGitHubSite } from '../harness/servers/github.ts'
import { CLIENT, startOpenIdProvider } from '../harness/servers/openid.ts'
import { get, post, refusal, startService } from '../harness/service.ts'
import { acceptAll, bearer, makeKey, PASSWORD, type Person, signUp } from './people.ts'

const PUBLIC = 'https://convert.example'
const callback = (id: string) => `${PUBLIC}/api/auth/${id}/callback`

const [provider, forms] = await Promise.all([
  startOpenIdProvider([callback('company'), callback('wrong')]),
  startOpenIdProvider([callback('forms')], { post: true }),
])
const github = await startGitHubSite()
const { people, issuer } = provider
const service = await startService({
  env: { PUBLIC_URL: PUBLIC },
  change({ accounts }) {
    accounts.providers = {
      company: { issuer, name: 'The company', ...CLIENT },
      wrong: { issuer, ...CLIENT, clientSecret: 'wrong' },
      forms: { issuer: forms.issuer, ...CLIENT },
      away: { issuer: 'http://127.0.0.1:9', ...CLIENT },
      github: { issuer: github.site, ...CLIENT },
    }
  },
})
t.teardown(() => Promise.all([service, provider, forms, github].map((part) => part[Symbol.asyncDispose]())))
const { users } = service.kernel.accounts
const { accounts } = service.kernel.config

const newBrowser = () => createBrowser({ [PUBLIC]: service.base })
const locationOf = (answer: Response) => answer.headers.get('location')!

/** Starts a sign-in as somebody at the provider; resolves to the URL of the callback, which is not visited yet. */
async function reachCallback(browser: Browser, as: string, alter = (_: URL) => {}, id = 'company'): Promise<URL> {
  const begun = await browser.visit(`${PUBLIC}/api/auth/${id}`)
  let url = new URL(locationOf(begun))
  const { origin } = url
  alter(url)
  for (let step = 0; step < 12; step++) {
    if (url.origin === PUBLIC) return url
    let answer = await browser.visit(url)
    if (answer.status === 200) {
      const prompt = (await answer.text()).includes('name="login"') ? 'login' : 'consent'
      answer = await browser.visit(url, { prompt, ...(prompt === 'login' && { login: as, password: 'x' }) })
    }
    url = new URL(locationOf(answer), origin)
  }
  throw new Error(`no way back: ${url}`)
}

async function signIn(as: string, alter?: (url: URL) => void, id?: string) {
  const browser = newBrowser()
  const answer = await browser.visit(await reachCallback(browser, as, alter, id))
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any }
}

t.test('providers are listed, and unknown providers get 404', async (t) => {
  const list = await get(service, '/api/auth/providers')
  t.match(list.json.providers, {
    0: { id: 'company', name: 'The company', url: '/api/auth/company' },
    4: { id: 'github', name: 'GitHub' },
  })
  for (const path of ['google', 'nosuch/callback', 'login', '__proto__']) {
    t.match(await get(service, `/api/auth/${path}`), refusal(404, 'NOT_FOUND'), path)
  }
})

t.test('the request has state, nonce and PKCE; the cookie is restricted', async (t) => {
  const browser = newBrowser()
  const begun = await browser.visit(`${PUBLIC}/api/auth/company`)
  t.equal(begun.status, 302)
  const query = Object.fromEntries(new URL(locationOf(begun)).searchParams)
  t.match(query, {
    response_type: 'code',
    client_id: CLIENT.clientId,
    redirect_uri: callback('company'),
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    nonce: /^[\w-]{43}$/,
  })
  const cookie = begun.headers.get('set-cookie')!
  t.match(cookie, /; Path=\/api\/auth\/company\/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
  for (const secret of [query.state!, query.nonce!]) t.notMatch(cookie, secret, 'not in the cookie')
  const again = new URL(locationOf(await browser.visit(`${PUBLIC}/api/auth/company`))).searchParams
  for (const name of ['state', 'nonce', 'code_challenge']) t.not(again.get(name), query[name], `${name} is new`)
})

t.test('a new user, and the same user when returning, also with another address', async (t) => {
  people.ada = { email: 'Ada@Company.example', email_verified: true, name: 'Ada L.' }
  const { status, json, headers } = await signIn('ada')
  t.equal(status, 200)
  t.equal(headers.get('cache-control'), 'no-store')
  t.match(headers.get('set-cookie'), /^athanor_sign_in=; .*Max-Age=0/, 'the cookie is taken back')
  t.match(json.user, { email: 'ada@company.example', name: 'Ada L.', plan: 'free', status: 'active' })
  t.equal((await get(service, '/api/users/me', bearer(json.token))).status, 200)
  people.ada = { email: 'new@company.example', email_verified: false }
  const back = await signIn('ada')
  t.equal(back.status, 200)
  t.equal(back.json.user.id, json.user.id)
  t.equal(back.json.user.email, 'ada@company.example')
  const login = await post(service, '/api/auth/login', { email: 'ada@company.example', password: 'null' })
  t.equal(login.status, 401, 'there is no password')
  await users.change(json.user.id, { status: 'suspended' })
  t.match(await signIn('ada'), refusal(403, 'FORBIDDEN', /suspended/))
})

t.test('a verified address links to an account with a proven address, which keeps everything', async (t) => {
  const bob = await signUp(service, 'pro')
  const key = await makeKey(service, bob)
  await users.change(bob.id, { verified: true })
  people.bob = { email: bob.email.toUpperCase(), email_verified: true }
  const { json } = await signIn('bob')
  t.match(json.user, { id: bob.id, plan: 'pro' })
  t.equal((await get(service, '/api/users/me', bob.session)).status, 200)
  t.equal((await get(service, '/api/tools', key.bySecret)).status, 200)
  t.equal((await post(service, '/api/auth/login', { email: bob.email, password: PASSWORD })).status, 200)
})

t.test('the owner of an unproven address takes over its account', async (t) => {
  const squatter = await signUp(service, 'pro')
  const friend = await signUp(service)
  const key = await makeKey(service, squatter)
  const found = async (who: Person, invited: Person) => {
    const members = [{ email: invited.email, role: 'admin' }]
    const { team } = (await post(service, '/api/teams', { name: 'Trojan', members }, who.session)).json
    await acceptAll(service, invited)
    return team.id
  }
  const own = await found(squatter, friend)
  await found(friend, squatter)
  people.cleo = { email: squatter.email, email_verified: true }
  const { json } = await signIn('cleo')
  t.equal(json.user.id, squatter.id)
  t.equal((await get(service, '/api/users/me', squatter.session)).status, 401, 'the session ended')
  t.equal((await get(service, '/api/tools', key.bySecret)).status, 401, 'the key is revoked')
  t.equal((await post(service, '/api/auth/login', { email: squatter.email, password: PASSWORD })).status, 401)
  t.equal((await get(service, '/api/conversions', { ...friend.session, 'x-team-id': own })).status, 404)
  const { teams } = (await get(service, '/api/teams', bearer(json.token))).json
  t.match(teams, { length: 1, 0: { id: own, role: 'owner' } }, 'the account is in no team of others')
})

t.test('unverified addresses are not trusted', async (t) => {
  const bob = await signUp(service)
  people.eve = { email: bob.email, email_verified: false }
  people.fay = { email: 'fay@company.example' }
  people.hal = { email: 'no address', email_verified: true }
  for (const name of ['eve', 'fay', 'hal']) {
    t.match(await signIn(name), refusal(403, 'FORBIDDEN', /no verified email address/), name)
  }
  t.equal((await get(service, '/api/users/me', bob.session)).status, 200, 'nothing happened to the account')
  t.equal(await users.byEmail('fay@company.example'), undefined)
})

t.test('mismatched callbacks are refused', async (t) => {
  people.jo = { email: 'jo@company.example', email_verified: true }
  const begin = refusal(400, 'BAD_REQUEST', /^state must .*start again/)
  const refused = refusal(401, 'UNAUTHORIZED', /did not sign you in \(access_denied\)/)
  const withoutConsent = (query: URLSearchParams) => {
    query.delete('code')
    query.set('error', 'access_denied')
  }
  const unproved = refusal(401, 'UNAUTHORIZED', /start again$/)
  const visit = async (browser: Browser, url: URL) => {
    const answer = await browser.visit(url)
    return { status: answer.status, json: await answer.json() }
  }
  const attempts: [string, object, (browser: Browser, url: URL) => unknown][] = [
    ['another browser', begin, (browser) => browser.cookies.clear()],
    ['another state', begin, (_, url) => url.searchParams.set('state', 'x'.repeat(43))],
    ['a forged cookie', begin, (browser) => setCookie(browser, (value) => `${value.slice(0, -4)}AAAA`)],
    ['another code', unproved, (_, url) => url.searchParams.set('code', 'x'.repeat(43))],
    ['no consent', refused, (_, url) => withoutConsent(url.searchParams)],
    ['another issuer', unproved, (_, url) => url.searchParams.set('iss', 'https://evil.example')],
    ['no issuer from one that names itself', unproved, (_, url) => url.searchParams.delete('iss')],
  ]
  for (const [name, expected, tamper] of attempts) {
    const browser = newBrowser()
    const url = await reachCallback(browser, 'jo')
    await tamper(browser, url)
    t.match(await visit(browser, url), expected, name)
  }
  const nonce = (url: URL) => url.searchParams.set('nonce', 'of-another-request')
  t.match(await signIn('jo', nonce), unproved, 'an answer to another request')
  const challenge = (url: URL) => url.searchParams.set('code_challenge', 'x'.repeat(43))
  t.match(await signIn('jo', challenge), unproved, 'a code for another verifier')

  const browser = newBrowser()
  const url = await reachCallback(browser, 'jo')
  const kept = new Map(browser.cookies)
  const other = newBrowser()
  await other.visit(`${PUBLIC}/api/auth/company`)
  t.match(await visit(other, url), begin, "somebody else's callback is no sign-in of mine")
  t.equal((await visit(browser, url)).status, 200)
  for (const [name, cookie] of kept) browser.cookies.set(name, cookie)
  t.match(await visit(browser, url), unproved, 'a code works once')
  const late = newBrowser()
  const callback = await reachCallback(late, 'jo')
  t.match(await ahead(601_000, () => visit(late, callback)), begin, 'a sign-in that takes too long')
})

function setCookie(browser: Browser, change: (value: string) => string): void {
  for (const [key, cookie] of browser.cookies) {
    if (key.endsWith(' athanor_sign_in')) cookie.value = change(cookie.value)
  }
}

t.test('closed registration refuses new users and admits existing accounts', async (t) => {
  accounts.registration = false
  // This provider takes the secret by form.
  forms.people.kim = { email: 'kim@company.example', email_verified: true }
  const enter = () => signIn('kim', undefined, 'forms')
  t.match(await enter(), refusal(403, 'FORBIDDEN', /Registration is closed/))
  const made = { email: 'kim@company.example', name: null, plan: 'business', password_hash: null } as const
  const { id } = await users.create({ ...made, verified: true })
  t.match(await enter(), { status: 200, json: { user: { id, plan: 'business' } } })
  accounts.registration = true
})

t.test('a provider that cannot be reached, and a wrong secret', async (t) => {
  people.lea = { email: 'lea@company.example', email_verified: true }
  t.match(await signIn('lea', undefined, 'wrong'), refusal(401, 'UNAUTHORIZED'))
  const browser = newBrowser()
  const url = await reachCallback(browser, 'kim', undefined, 'forms')
  await forms.stop()
  const away = (id: string) => ({ error: { code: 'NOT_READY', message: `${id} cannot be reached; try again later` } })
  const answer = await browser.visit(url)
  t.strictSame([answer.status, await answer.json()], [503, away('forms')])
  t.ok(Number(answer.headers.get('retry-after')) > 0)
  const begun = await get(service, '/api/auth/away')
  t.strictSame([begun.status, begun.json], [503, away('away')], 'not even found')
})

t.test("the operator's page gets the token, or the error, in its fragment", async (t) => {
  const page = 'https://app.example/signed-in'
  accounts.returnUrl = page
  people.max = { email: 'max@company.example', email_verified: true }
  const browser = newBrowser()
  const url = await reachCallback(browser, 'max')
  const end = await browser.visit(url)
  t.equal(end.status, 302)
  const token = new RegExp(`^${page}#token=(.+)$`).exec(locationOf(end))![1]!
  t.equal((await get(service, '/api/users/me', bearer(token))).json.user.email, 'max@company.example')
  t.match(locationOf(await browser.visit(url)), `${page}#error=BAD_REQUEST&message=state`)
  delete accounts.returnUrl
})

t.test('GitHub: new, returning, linked, unverified, refused', async (t) => {
  const enter = (alter?: (url: URL) => void) => signIn('', alter, 'github')
  const address = (email: string, more = {}) => [
    { email: 'other@company.example', primary: false, verified: true, visibility: null },
    { email, primary: true, verified: true, visibility: 'private', ...more },
  ]
  github.user = { id: 7, login: 'octocat', name: null, emails: address('octo@company.example') }
  const first = await enter()
  t.match(first, { status: 200, json: { user: { email: 'octo@company.example', name: 'octocat' } } })
  github.user = { id: 7, login: 'renamed', name: 'O.', emails: address('moved@company.example') }
  t.equal((await enter()).json.user.id, first.json.user.id, 'known by number, not by name')
  const bob = await signUp(service)
  github.user = { id: 8, login: 'bob', name: 'Bob', emails: address(bob.email) }
  t.equal((await enter()).json.user.id, bob.id)
  github.user = { id: 9, login: 'eve', name: 'Eve', emails: address('eve@company.example', { verified: false }) }
  t.match(await enter(), { status: 403, json: { error: { message: /^GitHub has no verified/ } } })
  const challenge = (url: URL) => url.searchParams.set('code_challenge', 'x'.repeat(43))
  t.match(await enter(challenge), refusal(401, 'UNAUTHORIZED'), 'an error with status 200')
})
