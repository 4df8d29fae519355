import { ServiceError } from '../errors.ts'
import { badCursor, bytesOrNull, noSuchCloudFile, requireOk } from './answers.ts'
import type { Outgoing } from './client.ts'
import { encodePath, isPlainPath, lastSegment } from './path.ts'
import type { CloudEntry, CredentialProvider } from './provider.ts'
import { asSource } from './source.ts'
import { readTarget } from './target.ts'
import { child, children, type Element, readXml } from './xml.ts'

const LABEL = 'The WebDAV server'
/** Entries per page. A WebDAV server always lists the whole folder. */
const PAGE = 200

const PROPERTIES =
  '<?xml version="1.0" encoding="utf-8"?>' +
  '<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/></prop></propfind>'

/** A folder of a WebDAV server (RFC 4918), with Basic authentication (RFC 7617). */
export const webdav: CredentialProvider = {
  kind: 'credentials',
  name: 'webdav',
  label: 'WebDAV server',
  fields: {
    url: { description: 'URL of the folder, such as https://cloud.example.org/remote.php/dav/files/me/.' },
    username: { description: 'User name at the server.' },
    password: { description: 'Password at the server. Use an app password if the server offers them.' },
  },
  check(given, { gate }) {
    const { username = '', password = '' } = given
    const url = readTarget(given.url ?? '', gate, 'url')
    if (url.search || url.hash) throw new ServiceError('BAD_REQUEST', 'url must have no query and no fragment')
    if (/[\p{Cc}:]/u.test(username)) throw new ServiceError('BAD_REQUEST', 'username must not contain a colon')
    if (/\p{Cc}/u.test(password))
      throw new ServiceError('BAD_REQUEST', 'password must not contain line breaks or other control characters')
    return { ...given, url: url.href.replace(/\/?$/, '/') }
  },
  drive({ url = '', username, password }, client) {
    const base = new URL(url)
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const send = (ref: string, { headers, ...outgoing }: Outgoing) =>
      client.send(new URL(base.href + encodePath(ref)), { ...outgoing, headers: { ...headers, authorization } })

    return {
      async list({ folder = '', cursor = '0' }, signal) {
        if (folder && !isPlainPath(folder)) throw noSuchCloudFile(LABEL)
        if (!/^\d{1,6}$/.test(cursor)) throw badCursor()
        const headers = { depth: '1', 'content-type': 'application/xml; charset=utf-8' }
        const incoming = await send(folder, { method: 'PROPFIND', headers, body: PROPERTIES, signal })
        const xml = await readXml(requireOk(incoming, LABEL, undefined, 207), LABEL)
        const entries = children(xml, 'response').map((response) => toEntry(response, base))
        const files = entries
          .filter((entry) => entry !== undefined)
          .filter((entry) => entry.ref.replace(/\/$/, '') !== folder.replace(/\/$/, ''))
          .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1))
        const start = Number(cursor)
        const end = start + PAGE
        return { files: files.slice(start, end), nextCursor: end < files.length ? String(end) : null }
      },

      async open(ref, allowance) {
        if (!isPlainPath(ref) || ref.endsWith('/')) throw noSuchCloudFile(LABEL)
        const incoming = requireOk(await send(ref, { signal: allowance.signal }), LABEL)
        if (incoming.url.pathname.endsWith('/')) {
          // A slash at the end means a folder: the body is its HTML page.
          incoming.body.destroy()
          throw noSuchCloudFile(LABEL)
        }
        return asSource(incoming, lastSegment(ref), allowance)
      },
    }
  },
}

/** Converts a response element to an entry below the base; undefined for anything else. */
function toEntry(response: Element, base: URL): CloudEntry | undefined {
  const href = child(response, 'href')?.text.trim() ?? ''
  if (!href || !URL.canParse(href, base.href)) return undefined
  const ref = below(new URL(href, base).pathname, base.pathname)
  if (!ref || !isPlainPath(ref)) return undefined
  const found = children(response, 'propstat').find((item) => / 200\b/.test(child(item, 'status')?.text ?? ''))
  const properties = child(found, 'prop')
  const isFolder = child(properties, 'resourcetype', 'collection') !== undefined
  const size = isFolder ? null : bytesOrNull(child(properties, 'getcontentlength')?.text.trim())
  return { ref: isFolder ? ref.replace(/\/?$/, '/') : ref, name: lastSegment(ref), size, isFolder }
}

/** Returns the decoded part of a path below a base, if it is below. The two may be encoded differently. */
function below(path: string, base: string): string | undefined {
  try {
    const whole = decodeURIComponent(path)
    const start = decodeURIComponent(base)
    return whole.startsWith(start) ? whole.slice(start.length) : undefined
  } catch {
    return undefined
  }
}
