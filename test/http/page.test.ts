/** The page as the service sends it. Tests in browsers are in test/page. */
import t from 'tap'
import { buildPage } from '../../config/setup/page.mjs'
import { get, startService } from './service.ts'

await buildPage(`${import.meta.dirname}/../..`)
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test('browsers get HTML, other clients get what they got before', async (t) => {
  await using service = await startService()
  const page = await get(service, '/', HTML)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), 'text/html')
  t.equal(page.headers.get('cache-control'), 'no-cache')
  t.equal(
    page.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  )
  t.match(page.headers.get('vary'), /accept/i)
  t.notMatch(page.body.toString(), /(src|href)="\//, 'relative addresses only')
  t.match(await get(service, '/'), { status: 404, json: { error: { code: 'NOT_FOUND' } } })
  t.match(await get(service, '/', { accept: 'application/json' }), { status: 404 })
  t.match(await get(service, '/api/nothing', HTML), { status: 404, json: { error: { code: 'NOT_FOUND' } } })
  t.match(await get(service, '/page/index.html', HTML), { status: 404 })
  t.match(await get(service, '/page/../package.json', HTML), { status: 404 })
  t.equal(
    (await get(service, '/api/formats')).headers.get('content-security-policy'),
    "default-src 'none';frame-ancestors 'none'",
  )
})

t.test('its files can be cached, and are compressed with an encoding that the browser accepts', async (t) => {
  await using service = await startService()
  const html = (await get(service, '/', HTML)).body.toString()
  const paths = [...html.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  t.equal(paths.length, 3)
  for (const path of paths) {
    const plain = await get(service, path, { 'accept-encoding': 'identity' })
    t.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    for (const encoding of ['br', 'gzip']) {
      const reply = await get(service, path, { 'accept-encoding': encoding })
      t.equal(reply.headers.get('content-encoding'), encoding)
      t.ok(reply.body.equals(plain.body), `${path} by ${encoding}`)
    }
  }
})

t.test("the operator's settings of the page", async (t) => {
  await using service = await startService({
    change: (config) => {
      config.page = { name: '<b>"Ours"</b>', notice: "It's {{ours}}", colour: '#aa0055' }
      config.plans.guest.maxFileSize = null
    },
  })
  const html = (await get(service, '/', HTML)).body.toString()
  t.notMatch(html, '<b>')
  t.match(html, '&#60;b&#62;&#34;Ours&#34;')
  const [, colour] = /href="(page\/colour[^"]+)"/.exec(html)!
  t.match((await get(service, `/${colour}`)).body.toString(), '--accent:#aa0055')
})

t.test('page: false removes it', async (t) => {
  await using service = await startService({ change: (config) => (config.page = false) })
  t.match(await get(service, '/', HTML), { status: 404, json: { error: { code: 'NOT_FOUND' } } })
})
