/** The page as the service sends it. Tests in browsers are in test/page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { get, refusal, serviceOf } from '../harness/service.ts'
import { beside } from './beside.ts'

const root = `${import.meta.dirname}/../..`
const service = await serviceOf(t)
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test('browsers get HTML, other clients get what they got before', async (t) => {
  const page = await get(service, '/', HTML)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), 'text/html')
  t.equal(page.headers.get('cache-control'), 'no-cache')
  t.equal(
    page.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; frame-src blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  )
  t.match(page.headers.get('vary'), /accept/i)
  t.notMatch(page.body.toString(), /(src|href)="\//, 'relative addresses only')
  t.match(await get(service, '/'), refusal(404, 'NOT_FOUND'))
  t.match(await get(service, '/', { accept: 'application/json' }), { status: 404 })
  t.match(await get(service, '/api/nothing', HTML), refusal(404, 'NOT_FOUND'))
  t.match(await get(service, '/page/index.html', HTML), { status: 404 })
  t.match(await get(service, '/page/../package.json', HTML), { status: 404 })
  t.equal(
    (await get(service, '/api/formats')).headers.get('content-security-policy'),
    "default-src 'none';frame-ancestors 'none'",
  )
})

t.test('shared files that no service worker took lead to the page, and are not taken', async (t) => {
  for (const size of [10, 3e6]) {
    const reply = await fetch(`${service.base}/page/share`, {
      method: 'POST',
      body: new Uint8Array(size),
      redirect: 'manual',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    t.equal(reply.status, 303)
    t.equal(reply.headers.get('location'), '../#not-shared')
  }
  t.match(await get(service, '/page/share', HTML), { status: 404 })
})

t.test('its files can be cached, and are compressed with an encoding that the browser accepts', async (t) => {
  const html = (await get(service, '/', HTML)).body.toString()
  const named = [...html.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  const paths = named.filter((path) => !path.endsWith('.webmanifest'))
  t.ok(paths.length > 4)
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

t.test('the manifest names the service, its icons and the formats that it reads', async (t) => {
  await using named = await beside(service, { page: { name: '"Ours" & more' } })
  const reply = await get(named, '/page/manifest.webmanifest')
  t.match(reply.headers.get('content-type'), /^application\/manifest\+json/)
  t.equal(reply.headers.get('cache-control'), 'no-cache')
  const manifest = JSON.parse(reply.body.toString())
  t.match(manifest, { name: '"Ours" & more', start_url: '../', scope: '../', display: 'standalone' })
  for (const { src, type } of manifest.icons) {
    const icon = await get(service, `/page/${src}`)
    t.match(icon.headers.get('content-type'), type)
    t.equal(icon.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  }
  const [{ accept }] = manifest.file_handlers
  for (const [type, endings] of Object.entries<string[]>(accept)) {
    t.match(type, /^[\w.+-]+\/[\w.+-]+$/)
    for (const ending of endings) t.match(ending, /^\.[a-z0-9]+$/)
  }
})

t.test("the operator's settings of the page", async (t) => {
  const page = { name: '<b>"Ours"</b>', notice: "It's {{ours}}", colour: '#aa0055' }
  const { plans } = service.kernel.config
  await using ours = await beside(service, { page, plans: { ...plans, guest: { ...plans.guest, maxFileSize: null } } })
  const html = (await get(ours, '/', HTML)).body.toString()
  t.notMatch(html, '<b>')
  t.match(html, '&#60;b&#62;&#34;Ours&#34;')
  const [, colour] = /href="(page\/colour[^"]+)"/.exec(html)!
  t.match((await get(ours, `/${colour}`)).body.toString(), '--accent:#aa0055')
})

t.test('the documentation: a reference and the guides, which refer to each other', async (t) => {
  await using ours = await beside(service, { page: { name: 'Ours', colour: '#aa0055' } })
  const start = await get(ours, '/docs')
  t.match(
    start.headers.get('content-security-policy'),
    /default-src 'none'; script-src 'self'; style-src .*connect-src 'self'/,
  )
  const guides = [...start.body.toString().matchAll(/<a href="(docs\/[\w-]+)"/g)].map(([, path]) => `/${path}`)
  const files = readdirSync(join(root, 'docs')).map((file) => `/docs/${file.replace('.md', '')}`)
  t.strictSame([...guides].sort(), files.sort(), 'each guide is in the contents')
  const pages = new Map<string, string>()
  for (const path of ['/docs', ...guides]) {
    const reply = await get(ours, path)
    t.match(reply, { status: 200 }, path)
    pages.set(path, reply.body.toString())
  }
  for (const [path, html] of pages) {
    t.notMatch(html, /\{\{\w+\}\}/, `${path} is filled in`)
    t.match(html, /<title>[^<]+ · Ours<\/title>/)
    for (const [, link] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(link!, `http://service${path}`)
      if (origin !== 'http://service' || pathname === '/') continue
      const page = pages.get(pathname) ?? (await get(ours, pathname)).body.toString()
      t.ok(page && !page.startsWith('{"error"'), `${path}: ${link} exists`)
      if (hash && hash !== '#content') t.match(page, `id="${decodeURIComponent(hash.slice(1))}"`, `${path}: ${link}`)
    }
  }
  t.match(await get(ours, '/docs/'), { status: 302 })
  for (const path of ['/docs/index', '/docs/nothing', '/docs/../package.json'])
    t.match(await get(ours, path), { status: 404 }, path)
})

t.test('the help: in the language of the browser or the one that the page names, without a script', async (t) => {
  const inGerman = await get(service, '/help', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' })
  t.match(inGerman.body.toString(), '<html lang="de" dir="ltr">')
  t.match(inGerman.headers.get('vary'), /accept-language/i)
  t.match((await get(service, '/help', { 'accept-language': 'nl' })).body.toString(), '<html lang="en"')
  const shapes = new Set<string>()
  for (const language of ['en', 'ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh']) {
    const path = `/help/${language}`
    const html = (await get(service, path)).body.toString()
    t.notMatch(html, /\{\{\w+\}\}|<script/, path)
    for (const [, link] of html.matchAll(/(?:href|src)="([^"]+)"/g))
      if (link !== '.././')
        t.match(await get(service, new URL(link!, `http://x${path}`).pathname), { status: 200 }, link!)
    const texts = JSON.parse(readFileSync(join(root, `page/texts/${language}.json`), 'utf8'))
    for (const key of ['wanted.same', 'wanted.ocr.pdf', 'history.title', 'history.deleteAll'])
      t.match(html, texts[key], `${path} says ${key} as the page does`)
    shapes.add([...html.matchAll(/<(?:h\d|tr|p)\b/g)].join())
  }
  t.equal(shapes.size, 1, 'all languages have the same parts')
  for (const path of ['/help/xx', '/help/de/x', '/docs/help.de'])
    t.match(await get(service, path), { status: 404 }, path)
})

t.test('the page knows whether anybody can sign in', async (t) => {
  const accounts = { ...service.kernel.config.accounts, registration: false }
  await using closed = await beside(service, { accounts })
  const facts = async () => (await get(closed, '/', HTML)).body.toString()
  t.match(await facts(), '&#34;accounts&#34;:false')
  const fields = { email: 'ada@example.org', name: null, plan: 'free', password_hash: null, verified: true } as const
  await service.kernel.accounts.users.create(fields)
  t.match(await facts(), '&#34;accounts&#34;:true')
})

t.test('page: false removes it', async (t) => {
  await using bare = await beside(service, { page: false })
  t.match(await get(bare, '/docs', HTML), refusal(404, 'NOT_FOUND'))
  t.match(await get(bare, '/', HTML), refusal(404, 'NOT_FOUND'))
})
