/** Attempts to get round the address check. None may connect to an address that is not public. */
import type { LookupAddress } from 'node:dns'
import { promisify } from 'node:util'
import t from 'tap'
import { createLookup } from '../../kernel/imports/resolve.ts'
import { startDns } from '../harness/servers/dns.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { get, post, refusal, STUB, startService } from '../harness/service.ts'

/** A server that nobody may reach. Each request to it is a failure. */
const secret = await startOrigin((_req, res) => void res.end(`${STUB} secret`), { host: '127.0.0.2' })
/** A server that the operator lets imports reach, on the same port. */
const open = await startOrigin(
  (req, res) => {
    const to = new URL(req.url!, 'http://x').searchParams.get('to')
    if (to) res.writeHead(302, { location: to })
    res.end(STUB)
  },
  { port: secret.port },
)
const dns = await startDns()
const { port } = secret
t.teardown(() => Promise.all([secret, open, dns].map((part) => part[Symbol.asyncDispose]())))

/** The defaults of production, except for the name server. */
const strict = await startService({ change: (config) => (config.imports.nameServers = [dns.address]) })
/** One loopback address stands for a public one. */
const service = await startService({
  change: (config) => {
    config.imports.allowNetworks = ['127.0.0.1']
    config.imports.nameServers = [dns.address]
  },
})
t.teardown(() => Promise.all([strict, service].map((part) => part[Symbol.asyncDispose]())))

t.test('by default, imports reach only public addresses', async (t) => {
  t.strictSame(strict.kernel.config.imports.allowNetworks, [])
  const hosts = `127.0.0.1 127.0.0.2 127.1 0 0.0.0.0 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1 127.0.0.1.
    0x7F.0.0.0x1 ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1]
    [::ffff:7f00:2] [::127.0.0.1] [64:ff9b::127.0.0.1] [2002:7f00:1::] [fe80::1] [fd00::1] [ff02::1] localhost LOCALHOST
    localhost. a.localhost 10.0.0.1 100.64.0.1 169.254.169.254 [fd00:ec2::254] 168.63.129.16 255.255.255.255 224.0.0.1`
  t.match(await post(strict, '/api/import/url', { url: `HTTPS://127.0.0.1:${port}/` }), refusal(400, 'URL_NOT_ALLOWED'))
  for (const host of hosts.split(/\s+/)) {
    const reply = await post(strict, '/api/import/url', { url: `http://${host}:${port}/a.stub` })
    t.match(reply, refusal(400, 'URL_NOT_ALLOWED', /^url /), host)
  }
})

t.test('other schemes, credentials and ports of other protocols are refused', async (t) => {
  for (const url of [
    'file:///etc/passwd',
    'ftp://127.0.0.1/a',
    'gopher://127.0.0.1/a',
    'data:text/plain,STUB',
    'javascript:1',
    'ws://127.0.0.1/',
    'blob:http://127.0.0.1/x',
    'unix:/run/x.sock',
    'http+unix://%2frun%2fx.sock/',
    `http://user@127.0.0.1:${port}/a`,
    `http://user:pass@127.0.0.1:${port}/`,
    `http://:p@127.0.0.1:${port}/`,
    `http://127.0.0.2:${port}\\@127.0.0.1:${port}/`,
    `http://127.0.0.1:80@127.0.0.2:${port}/`,
    ...[22, 25, 53, 110, 143, 389, 445 + 20, 587, 993, 6667].map((foreign) => `http://127.0.0.1:${foreign}/`),
  ]) {
    const reply = await post(service, '/api/import/url', { url })
    t.match(reply, refusal(400, 'URL_NOT_ALLOWED'), url)
  }
})

t.test('redirects are checked like the first URL', async (t) => {
  for (const to of [
    `http://127.0.0.2:${port}/`,
    `//127.0.0.2:${port}/`,
    `http://[::ffff:127.0.0.2]:${port}/`,
    'file:///etc/passwd',
    `http://2130706434:${port}/`,
    `http://a:b@127.0.0.1:${port}/`,
    'http://127.0.0.1:25/',
    'http://169.254.169.254/',
  ]) {
    const reply = await post(service, '/api/import/url', { url: `${open.base}/?to=${encodeURIComponent(to)}` })
    t.match(reply, refusal(400, 'URL_NOT_ALLOWED'), to)
  }
})

t.test('names', async (t) => {
  const byName = (name: string, path = '/a.stub') =>
    post(service, '/api/import/url', { url: `http://${name}:${port}${path}` })
  dns.names.set('good.example', ['127.0.0.1'])
  t.equal((await byName('good.example')).status, 201)
  t.equal(open.requests.at(-1)!.headers.host, `good.example:${port}`)
  t.equal((await byName('GOOD.example.')).status, 201, 'with a trailing dot')

  const refused = refusal(400, 'URL_NOT_ALLOWED', /not public/)
  dns.names.set('bad.example', ['127.0.0.2'])
  dns.names.set('both.example', ['127.0.0.1', '127.0.0.2'])
  dns.names.set('v6.example', ['127.0.0.1', '::1'])
  dns.names.set('mapped.example', ['::ffff:127.0.0.2'])
  dns.names.set('nat64.example', ['64:ff9b::7f00:2'])
  for (const name of ['bad', 'both', 'v6', 'mapped', 'nat64']) t.match(await byName(`${name}.example`), refused, name)
  t.match(await byName('bad.example.'), refused, 'with a trailing dot')
  const redirected = await byName('good.example', `/?to=http://bad.example:${port}/`)
  t.match(redirected, refused, 'after a redirect')

  const missing = await byName('none.example')
  t.match(missing, refusal(502, 'IMPORT_FAILED', /none\.example was not found/))
})

t.test('a name with a changing address', async (t) => {
  let questions = 0
  dns.names.set('rebinding.example', () => [questions++ === 0 ? '127.0.0.1' : '127.0.0.2'])
  const url = `http://rebinding.example:${port}/a.stub`
  t.equal((await post(service, '/api/import/url', { url })).status, 201, 'what was checked is what is connected to')
  t.equal(questions, 1, 'the name is asked for once')

  questions = 0
  const back = `http://rebinding.example:${port}/?to=${encodeURIComponent(url)}`
  const reply = await post(service, '/api/import/url', { url: back })
  t.match(reply, refusal(400, 'URL_NOT_ALLOWED'), 'and asked again for the next hop')
  t.equal(questions, 2)
})

t.test('of a thousand addresses, a few are checked and used', async (t) => {
  const numbers = Array.from({ length: 1000 }, (_, n) => [n >> 8, n & 255])
  const v4 = numbers.map(([high, low]) => `10.0.${high}.${low}`)
  const v6 = numbers.map(([high, low]) => `fd00::${high}:${low}`)
  dns.names.set('many.example', [...v4, ...v6])
  const checked: string[] = []
  const gate = (address: string) => checked.push(address) > 0
  const resolve = promisify(createLookup(gate, [dns.address])('url'))
  const addresses = (await resolve('many.example', { all: true })) as unknown as LookupAddress[]
  t.equal(addresses.length, 16)
  t.strictSame(
    checked,
    addresses.map(({ address }) => address),
  )
})

t.test('no request reached a forbidden address', async (t) => {
  t.equal(secret.requests.length, 0)
  t.equal((await get(service, '/healthz')).status, 200)
})
