import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Context } from './context.ts'

/** Seconds: a file's name changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable'

/** Names that change with the content. That of a service worker must stay. */
const HASHED = /-\w{8}\.\w+$/

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
}

/** Content encodings, best first, with the ending of the compressed file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** What set-up built for browsers. */
export interface Built {
  /** HTML templates by name, without `.html`. */
  templates: ReadonlyMap<string, string>
  /** What browsers ask before they install the page. Its icons are relative to `/page/`. */
  manifest: object
  /** Answers with a file, compressed if the browser accepts that. Returns false if there is no such file. */
  send(ctx: Context, name: string): boolean
}

/**
 * Reads what set-up built under a name, once. Keeps it compressed, so about one megabyte in memory. Undefined if it was
 * not built.
 */
export function readBuilt(name: string): Built | undefined {
  const folder = join(import.meta.dirname, '../../node_modules/.cache', name)
  if (!existsSync(folder)) return undefined
  const all = readdirSync(folder)
  const kept = all.filter((file) => !all.includes(`${file}.gz`))
  const files = new Map(kept.map((file) => [file, readFileSync(join(folder, file))]))
  const templates = [...files].filter(([file]) => file.endsWith('.html'))
  return {
    templates: new Map(templates.map(([file, bytes]) => [file.slice(0, -'.html'.length), bytes.toString()])),
    manifest: JSON.parse(files.get('manifest.webmanifest')?.toString() ?? '{}'),
    send(ctx, file) {
      const type = TYPES[file.slice(file.lastIndexOf('.') + 1)]
      const zipped = files.get(`${file}.gz`)
      if (!zipped || !type) return false
      ctx.vary('Accept-Encoding')
      ctx.set('Cache-Control', HASHED.test(file) ? FOREVER : 'no-cache')
      ctx.type = type
      const [encoding, end] = ENCODINGS.find(([name]) => ctx.acceptsEncodings(name)) ?? []
      if (encoding) ctx.set('Content-Encoding', encoding)
      ctx.body = encoding ? files.get(file + end) : gunzipSync(zipped)
      return true
    },
  }
}

/** Replaces each `{{key}}` of a template. The values are HTML. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key] ?? '')

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
