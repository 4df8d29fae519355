import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'

const STYLE =
  'body{font:1.1em/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em}code{font-size:.95em}'

/** Allows one style sheet by its hash (CSP Level 3 §8.4), and nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const page = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>HTTPS is needed</title><style>${STYLE}</style><h1>HTTPS is needed</h1>${text}</html>\n`

const PAGES = {
  home: page(
    '<p>This service answers plain HTTP on its own network only. From elsewhere, open it by its <code>https://</code> address.</p><p>If you run it: set <code>TLS_CERT</code> and <code>TLS_KEY</code>, or put a proxy that speaks HTTPS in front of it and name that in <code>TRUSTED_PROXIES</code>.</p>',
  ),
  elsewhere: page(
    '<p>This service does not answer plain HTTP. Open it by its <code>https://</code> address.</p><p>If you run it for a home or office network, start it with <code>npm start -- --home</code>, or set <code>ATHANOR_PROFILE=home</code>, or <code>profile: home</code> in the configuration file. On the internet, set <code>TLS_CERT</code> and <code>TLS_KEY</code>, or <code>TRUSTED_PROXIES</code>.</p>',
  ),
}

/** Answers browsers with 426 and a page. Returns whether it did. */
export function pleaseUseHttps(ctx: Context, home: boolean): boolean {
  if (!ctx.headers.accept?.includes('text/html')) return false
  ctx.status = 426
  ctx.set('Content-Security-Policy', POLICY)
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = PAGES[home ? 'home' : 'elsewhere']
  return true
}
