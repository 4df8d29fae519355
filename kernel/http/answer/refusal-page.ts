import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Code } from '../../errors.ts'
import type { Context } from '../context.ts'

const page = join(import.meta.dirname, '../../../page')
const colours = readFileSync(join(page, 'style/colours.css'), 'utf8')
/** The mark of the page, in the colours of this one. */
const mark = readFileSync(join(page, 'mark.svg'), 'utf8')
  .trim()
  .replace(/<(title|style)>.*?<\/\1>| xmlns="[^"]*"/g, '')
  .replace('<svg', '<svg aria-hidden="true" width="48" height="48"')

const STYLE = `${colours}
body{max-width:38rem;margin:clamp(2rem,12vh,7rem) auto;padding:0 1.25rem;background:var(--stone);color:var(--ink);font:1.0625rem/1.55 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
main{padding:clamp(1.25rem,5vw,2.5rem);border:1px solid var(--line);border-radius:1rem;background:var(--paper);box-shadow:var(--shadow)}
h1{margin:.75rem 0 1rem;font:500 1.75rem/1.2 "Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",Georgia,serif}
p{margin:1rem 0 0}
code{padding:.1em .3em;border-radius:.25rem;background:var(--sunk);font:.875em ui-monospace,"Liberation Mono",monospace}
path{fill:var(--accent)}
.ember{fill:var(--ember)}`

/** Allows one style sheet by its hash (CSP Level 3 §8.4), and nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const html = (title: string, ...paragraphs: string[]) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}</style><main>${mark}<h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</main></html>\n`

const PAGES = {
  publicClient: {
    status: 426,
    code: 'HTTPS_REQUIRED',
    body: html(
      'HTTPS is needed',
      'This service answers plain HTTP on its own network only. From elsewhere, open it by its <code>https://</code> address.',
      'If you run it: set <code>TLS_CERT</code> and <code>TLS_KEY</code>, or put a proxy that speaks HTTPS in front of it and name that in <code>TRUSTED_PROXIES</code>.',
    ),
  },
  plainHttp: {
    status: 426,
    code: 'HTTPS_REQUIRED',
    body: html(
      'HTTPS is needed',
      'This service does not answer plain HTTP. Open it by its <code>https://</code> address.',
      'If you run it for a home or office network, start it with <code>npm start -- --home</code>, or set <code>ATHANOR_PROFILE=home</code>, or <code>profile: home</code> in the configuration file. On the internet, set <code>TLS_CERT</code> and <code>TLS_KEY</code>, or <code>TRUSTED_PROXIES</code>.',
    ),
  },
  unknownHost: {
    status: 421,
    code: 'MISDIRECTED_REQUEST',
    body: html(
      'This name is not known here',
      'The service does not answer to the name in the address bar. Open it by its IP address, or by another of its names.',
      'If you run it: add the name to <code>http.hosts</code> in the configuration file, or set <code>PUBLIC_URL</code> to the address that people use. Without such a list, another website could read results through your browser.',
    ),
  },
} satisfies Record<string, { status: number; code: Code; body: string }>

/** Answers a browser with a page that names the setting to change. Returns false for other clients. */
export function refuseWithPage(ctx: Context, why: keyof typeof PAGES): boolean {
  ctx.vary('Accept')
  if (!ctx.headers.accept?.includes('text/html')) return false
  ctx.set('Content-Security-Policy', POLICY)
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'text/html; charset=utf-8'
  const { status, code, body } = PAGES[why]
  Object.assign(ctx, { status, body })
  ctx.state.code = code
  return true
}
