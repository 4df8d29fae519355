import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Kernel } from '../boot/kernel.ts'
import type { FormatFacts } from '../catalogue/catalogue.ts'
import { escapeHtml, fillTemplate, readBuilt } from './built.ts'
import { answerBeforeEnd, hasLongBodyUnread } from './connection/unread-body.ts'
import { type Context, isApiPath, type Middleware, pass } from './context.ts'

/** The page runs its own scripts only, and talks to this service only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  // The browser's own viewer shows PDFs that the reader has given or fetched.
  'frame-src blob:',
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The reference styles its parts by `style` elements and attributes, and makes its icons from data. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves what people see: the page at `/` and `/reset`, to clients that accept HTML, the help at `/help`, and the
 * documentation at `/docs`. Their files are under `/page/` and `/docs/`. Everything else goes on to the API.
 */
export function servePage({ accounts, catalogue, config, log }: Kernel): Middleware {
  const page = config.page === true ? {} : config.page
  if (!page || config.role === 'worker') return pass
  const built = readBuilt('athanor-page')
  const docs = readBuilt('athanor-docs')
  if (!built || !docs) {
    log.warn('the page is not built and therefore not served; run npm run setup')
    return pass
  }
  const name = page.name ?? 'Athanor'
  const accent = page.colour ? accentOf(page.colour) : ''
  const accentFile = `colour-${createHash('sha256').update(accent).digest('hex').slice(0, 8)}.css`

  const send = async (ctx: Context, template: string, policy: string, up = '') => {
    ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' })
    ctx.type = 'text/html; charset=utf-8'
    const colour = accent && `<link rel="stylesheet" href="${up}page/${accentFile}">\n`
    // Limits can change while the service runs.
    const facts = JSON.stringify({
      name,
      ...factsOf(config, page),
      vouched: ctx.state.origin.vouched !== undefined || undefined,
      accounts: await hasAccounts(),
    })
    ctx.body = fillTemplate(template, { name: escapeHtml(name), up, colour, facts: escapeHtml(facts) })
  }

  const { registration, providers, trustedHeader } = config.accounts
  /** Whether anybody has an account or can get one. Without the database, the page is shown all the same. */
  const hasAccounts = async () =>
    registration || !!trustedHeader || Object.keys(providers).length > 0 || accounts.users.any().catch(() => true)

  const languages = [...docs.templates.keys()].filter((key) => key.startsWith('help.')).map((key) => key.slice(5))
  languages.sort((one) => (one === 'en' ? -1 : 0))

  return (ctx, next) => {
    if (ctx.method === 'POST' && ctx.path === '/page/share') return missShared(ctx)
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || isApiPath(ctx.path)) return next()
    const [, place, file, ...more] = ctx.path.split('/')
    // Mailed links for a new password open /reset.
    if ((place === '' || place === 'reset') && file === undefined) {
      ctx.vary('Accept')
      if (!ctx.headers.accept?.includes('text/html')) return next()
      // biome-ignore lint/style/noNonNullAssertion: each build has it.
      return send(ctx, built.templates.get('index')!, POLICY)
    }
    if (more.length > 0) return next()
    if ((place === 'docs' || place === 'help') && file === '') return ctx.redirect(`../${place}`)
    if (place === 'help') {
      if (file === undefined) ctx.vary('Accept-Language')
      const language = file ?? (ctx.acceptsLanguages(languages) || 'en')
      const help = languages.includes(language) && docs.templates.get(`help.${language}`)
      return help ? send(ctx, help, POLICY, file === undefined ? '' : '../') : next()
    }
    // Names with a dot are those of the help.
    const guide = place === 'docs' && file !== 'index' && !file?.includes('.') && docs.templates.get(file ?? 'index')
    if (guide) return send(ctx, guide, DOCS_POLICY, file === undefined ? '' : '../')
    if (place === 'page' && file === 'manifest.webmanifest') {
      ctx.set('Cache-Control', 'no-cache')
      ctx.type = 'application/manifest+json'
      ctx.body = JSON.stringify(manifestOf(built.manifest, name, catalogue.formats))
      return undefined
    }
    if (place === 'page' && file === accentFile && accent) {
      ctx.type = 'text/css; charset=utf-8'
      ctx.body = accent
      return undefined
    }
    const files = place === 'page' ? built : place === 'docs' ? docs : undefined
    return file && files?.send(ctx, file) ? undefined : next()
  }
}

/**
 * Browsers whose service worker does not take shared files send them here. As anybody could make a browser do that,
 * they are not taken; the page says so.
 */
async function missShared(ctx: Context): Promise<void> {
  ctx.status = 303
  ctx.redirect('../#not-shared')
  if (!hasLongBodyUnread(ctx.req)) return
  ctx.respond = false
  await answerBeforeEnd(ctx.req, ctx.res, Buffer.alloc(0))
}

/** What the page needs to know about the service before it asks for anything. */
function factsOf(
  { plans, retention, accounts, smtp }: Config,
  { notice, imprint }: Exclude<Config['page'], boolean>,
): object {
  const { maxFileSize, pendingJobs, filesPerBatch, conversionsPerDay, bytesPerDay } = plans.guest
  const more = plans.free.conversionsPerDay
  return {
    signedIn: accounts.registration && more && conversionsPerDay && more > conversionsPerDay ? more : undefined,
    notice,
    imprint,
    maxFileSize,
    pendingJobs,
    filesPerBatch,
    conversionsPerDay,
    bytesPerDay,
    retention: retention.guest,
    accountRetention: retention.account,
    registration: accounts.registration,
    mail: smtp !== undefined,
    // Without this URL, a provider's callback sends JSON.
    providers: accounts.returnUrl !== undefined && Object.keys(accounts.providers).length > 0,
  }
}

/** The operator's colour; on dark ground lighter, as the text on it is dark there. */
const accentOf = (colour: string) =>
  [
    `:root{--accent:${colour};--accent-strong:color-mix(in oklab,${colour},black 20%)}`,
    `@media(prefers-color-scheme:dark){:root{--accent:color-mix(in oklab,${colour},white 55%);--accent-strong:color-mix(in oklab,${colour},white 70%)}}`,
  ].join('\n')

/** Of the formats that an installed page may open. Chromium ignores more. */
const MAX_EXTENSIONS = 300

/**
 * Completes the web app manifest of the page with the operator's name, and with the formats that an installed page
 * offers to open.
 */
function manifestOf(manifest: object, name: string, formats: readonly FormatFacts[]): object {
  const readable = formats.filter((format) => format.readable)
  const endings = [
    ...readable.map(({ mimeType, extension }) => [mimeType, extension] as const),
    ...readable.flatMap(({ mimeType, aliases }) => aliases.map((alias) => [mimeType, alias] as const)),
  ]
  const extensions = endings
    // Systems know only the last part of a name, and types without parameters.
    .filter(([mimeType, each]) => /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) && /^[a-z0-9]+$/.test(each))
    .slice(0, MAX_EXTENSIONS)
  const byType = Map.groupBy(extensions, ([mimeType]) => mimeType)
  const accept = [...byType].map(([mimeType, each]) => [mimeType, each.map(([, extension]) => `.${extension}`)])
  return {
    name,
    short_name: name,
    ...manifest,
    file_handlers: [{ action: '../', accept: Object.fromEntries(accept) }],
  }
}
