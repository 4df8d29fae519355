import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kernel } from '../kernel.ts'
import type { Context, Middleware } from './context.ts'

/** Where set-up puts the built page. */
const BUILT = join(import.meta.dirname, '../../node_modules/.cache/athanor-page')

/** The page runs its own scripts only, and talks to this service only. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:"],
  ...["media-src 'self' blob:", "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'"],
  ...["form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
].join('; ')

/** Seconds: a file's name changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Content encodings, best first, with the ending of the compressed file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Serves the page at `/`, to clients that accept HTML, and its files under `/page/`. Others go on to the API. */
export function servePage({ config, log }: Kernel): Middleware {
  const pass: Middleware = (_ctx, next) => next()
  const page = config.page === true ? {} : config.page
  if (!page) return pass
  if (!existsSync(join(BUILT, 'index.html'))) {
    log.warn('the page is not built and therefore not served; run npm run setup')
    return pass
  }
  // A few hundred kilobytes, read once.
  const files = new Map(readdirSync(BUILT).map((name) => [`/page/${name}`, readFileSync(join(BUILT, name))]))
  const template = files.get('/page/index.html')!.toString()
  for (const name of ['index.html', 'made-of'])
    for (const end of ['', '.br', '.gz']) files.delete(`/page/${name}${end}`)

  let colour = ''
  if (page.colour) {
    const style = Buffer.from(accentOf(page.colour))
    const path = `page/colour-${createHash('sha256').update(style).digest('hex').slice(0, 8)}.css`
    files.set(`/${path}`, style)
    colour = `<link rel="stylesheet" href="${path}">\n`
  }

  /** The limits can change while the service runs. */
  function html(): string {
    const { name = 'Athanor', notice, imprint } = page as Exclude<typeof page, false>
    const { maxFileSize } = config.plans.guest
    const { pendingJobs, filesPerBatch } = config.plans.guest
    const limits = { maxFileSize, pendingJobs, filesPerBatch, retention: config.retention.guest }
    const facts = JSON.stringify({ name, notice, imprint, ...limits })
    const values: Readonly<Record<string, string>> = { name: escapeHtml(name), facts: escapeHtml(facts), colour }
    return template.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key]!)
  }

  return (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/') {
      ctx.vary('Accept')
      if (!ctx.headers.accept?.includes('text/html')) return next()
      ctx.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' })
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = html()
      return undefined
    }
    const bytes = files.get(ctx.path)
    const type = TYPES[ctx.path.split('.').at(-1)!]
    if (!bytes || !type) return next()
    return send(ctx, type, bytes)
  }

  function send(ctx: Context, type: string, bytes: Buffer): void {
    ctx.vary('Accept-Encoding')
    ctx.set('Cache-Control', FOREVER)
    ctx.type = type
    const [encoding, end] =
      ENCODINGS.find(([name, end]) => files.has(ctx.path + end) && ctx.acceptsEncodings(name)) ?? []
    if (encoding) ctx.set('Content-Encoding', encoding)
    ctx.body = encoding ? files.get(ctx.path + end) : bytes
  }
}

/** The operator's colour; on dark ground lighter, as the text on it is dark there. */
const accentOf = (colour: string) =>
  [
    `:root{--accent:${colour};--accent-strong:color-mix(in oklab,${colour},black 20%)}`,
    `@media(prefers-color-scheme:dark){:root{--accent:color-mix(in oklab,${colour},white 55%);--accent-strong:color-mix(in oklab,${colour},white 70%)}}`,
  ].join('\n')

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
