/** Forged, altered, borrowed and expired credentials, and made-up addresses. */
import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { call, convert, get, pathOf, serviceOf, upload } from '../harness/service.ts'
import { signUp } from '../http/people.ts'
import { seed } from './random.ts'
import { times } from './scale.ts'

const JWT_SECRET = 'a secret of forty characters or some more'
const service = await serviceOf(t, { env: { JWT_SECRET, PUBLIC_URL: 'https://files.example' } })

const ada = await signUp(service, 'pro')
const bob = await signUp(service, 'pro')
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const partsOf = (token: string) => token.split('.') as [string, string, string]

/** Makes a token with this header and these claims, signed with any HMAC key. */
function forge(header: object, claims: object, key: string | Uint8Array, hash = 'sha256'): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** Returns forged variants of a token, by what is wrong with them. */
function forgeries(token: string, audience: string): Record<string, string> {
  const [head, body, signature] = partsOf(token)
  const header = decode(head)
  const claims = decode(body)
  const own = new Uint8Array(hkdfSync('sha256', JWT_SECRET, '', audience, 32))
  const now = Math.floor(Date.now() / 1000)
  const unsigned = ['none', 'NONE', 'nOnE', ''].flatMap((alg) => [
    [`alg ${alg}, no signature`, `${encode({ ...header, alg })}.${body}.`],
    [`alg ${alg}, the old signature`, `${encode({ ...header, alg })}.${body}.${signature}`],
  ])
  return {
    ...Object.fromEntries(unsigned),
    'no algorithm': `${encode({ typ: 'JWT' })}.${body}.${signature}`,
    'an empty key': forge(header, claims, ''),
    'the secret itself as key': forge(header, claims, JWT_SECRET),
    'a key of its own in the head': forge({ ...header, jwk: { kty: 'oct', k: encode('x') } }, claims, 'x'),
    'a key by its address': forge({ ...header, jku: `${service.base}/api/openapi.json`, kid: 'x' }, claims, 'x'),
    'a key that is a file': forge({ ...header, kid: '../../../../dev/null' }, claims, ''),
    'another algorithm, the right key': forge({ ...header, alg: 'HS512' }, claims, own, 'sha512'),
    'an algorithm of key pairs, the right key': forge({ ...header, alg: 'RS256' }, claims, own),
    'something critical that nobody knows': forge({ ...header, crit: ['exp2'], exp2: 1 }, claims, own),
    expired: forge(header, { ...claims, exp: now - 1 }, own),
    'without an end': forge(header, { ...claims, exp: undefined }, own),
    'an end that is a text': forge(header, { ...claims, exp: 'tomorrow' }, own),
    'of another audience': forge(header, { ...claims, aud: 'athanor:other' }, own),
    'without an audience': forge(header, { ...claims, aud: undefined }, own),
    'not valid yet': forge(header, { ...claims, nbf: now + 3600 }, own),
    'claims of another, the old signature': `${head}.${encode({ ...claims, sub: bob.id })}.${signature}`,
    'a signature cut short': `${head}.${body}.${signature.slice(0, -4)}`,
    'a signature with more behind': `${head}.${body}.${signature}AAAA`,
    'two tokens': `${token},${token}`,
    'in an object': JSON.stringify({ token }),
    'in five parts': `${token}.x.y`,
  }
}

const unauthorized = { status: 401, json: { error: { code: 'UNAUTHORIZED' } } }
const me = (token: string) => get(service, '/api/users/me', { authorization: `Bearer ${token}` })

t.test('sessions', async (t) => {
  t.equal((await me(ada.token)).status, 200, 'the real one')
  const audience = 'athanor:session'
  const own = new Uint8Array(hkdfSync('sha256', JWT_SECRET, '', audience, 32))
  const claims = decode(partsOf(ada.token)[1])
  t.equal((await me(forge({ alg: 'HS256' }, claims, own))).status, 200, 'the forger knows how')
  const cases = {
    ...forgeries(ada.token, audience),
    'of nobody': forge({ alg: 'HS256' }, { ...claims, sub: 'user_nobody' }, own),
    'of an object': forge({ alg: 'HS256' }, { ...claims, sub: { $ne: null } }, own),
    'of an older round': forge({ alg: 'HS256' }, { ...claims, ver: -1 }, own),
    'of a round that is a text': forge({ alg: 'HS256' }, { ...claims, ver: String(claims.ver) }, own),
    'without a round': forge({ alg: 'HS256' }, { ...claims, ver: undefined }, own),
  }
  for (const [name, token] of Object.entries(cases)) t.match(await me(token), unauthorized, name)
})

t.test('links', async (t) => {
  const mine = await convert(service, {}, ada.session)
  const other = await convert(service, {}, ada.session)
  const theirs = await convert(service, {}, bob.session)
  const tokenOf = (url: string) => new URL(url).searchParams.get('token')!
  const path = `/api/files/${mine.conversion.id}/download`
  const open = (token: string, headers = {}) => get(service, `${path}?token=${encodeURIComponent(token)}`, headers)
  const real = tokenOf(mine.conversion.outputUrl)
  t.equal((await open(real)).status, 200, 'the real one')
  t.equal((await open(real)).status, 200, 'it may be used again while it lives')
  const audience = 'athanor:download'
  const own = new Uint8Array(hkdfSync('sha256', JWT_SECRET, '', audience, 32))
  const claims = decode(partsOf(real)[1])
  t.equal((await open(forge({ alg: 'HS256' }, claims, own))).status, 200, 'the forger knows how')
  const cases = {
    ...forgeries(real, audience),
    'of another output of hers': tokenOf(other.conversion.outputUrl),
    "of somebody's": tokenOf(theirs.conversion.outputUrl),
    'a session': ada.token,
    'of another owner': forge({ alg: 'HS256' }, { ...claims, sub: bob.id }, own),
    'of an output that is a list': forge({ alg: 'HS256' }, { ...claims, out: [claims.out] }, own),
    'of everything': forge({ alg: 'HS256' }, { ...claims, out: '*' }, own),
    empty: '',
  }
  for (const [name, token] of Object.entries(cases)) t.match(await open(token), unauthorized, name)
  t.equal((await open(real, bob.session)).status, 404, 'with the credential of another: not found')
  t.match(await open(real, { authorization: 'Bearer nonsense' }), unauthorized, 'with a bad credential')
  t.match(await get(service, `${path}?token=x&token=${real}`), unauthorized, 'the second of two does not count')
  await call(service, 'DELETE', `/api/conversions/${mine.conversion.id}`, { headers: ada.session })
  t.match(await open(real), { status: 404 }, 'of what was deleted')
})

t.test('forged addresses and hosts change nothing', async (t) => {
  // Guests without a fingerprint are distinguished by the headers of an unknown proxy.
  const guest = { 'x-guest-fingerprint': 'made-up-addresses' }
  const { file } = (await upload(service, undefined, guest)).json
  const odd = fc.string({ unit: fc.constantFrom('1', '.', ',', ' ', ':', '[', ']', 'a', '/', '%') })
  const known = fc.constantFrom('127.0.0.1', '::1', '10.0.0.1, 127.0.0.1', '_hidden', '"[::1]:80"', 'a.example')
  const texts = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    known,
    odd.map((text) => text.trim() || 'x'),
  )
  const names =
    'x-forwarded-for forwarded x-real-ip true-client-ip cf-connecting-ip x-forwarded-host via x-forwarded-proto ' +
    'x-original-url x-rewrite-url x-http-method-override x-forwarded-prefix'
  const property = fc.asyncProperty(fc.constantFrom(...names.split(' ')), texts, async (name, value) => {
    const { status } = await get(service, file.path, { ...guest, [name]: value })
    if (status !== 200) throw new Error(`${name}: ${value} made another of the guest: ${status}`)
  })
  await fc.assert(property, { seed, numRuns: times(50, 500) })
  for (const host of ['evil.example', 'files.example@evil.example', '127.0.0.1']) {
    const { conversion } = await convert(service, {}, { 'x-forwarded-host': host, host })
    t.match(conversion.outputUrl, /^https:\/\/files\.example\/api\/files\/conv_/, host)
    t.equal((await get(service, pathOf(conversion.outputUrl), { host })).status, 200, host)
  }
})
