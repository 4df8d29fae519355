import { readFileSync } from 'node:fs'
import { ServiceError } from '../errors.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Headers of every request. They ask for no compression: a small body could expand without end. */
export const OWN_HEADERS: Readonly<Record<string, string>> = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'user-agent': `Athanor/${version}`,
}

const MAX = { headers: 20, value: 4096 }

/** RFC 9110 §5.6.2 and §5.5: a token, and ASCII text that begins and ends with a visible character. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/

/** Headers about the connection or framing (RFC 9110 §7.6.1), or that can make the response an incomplete file. */
const RESERVED = new Set([
  'host',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
  'http2-settings',
  'via',
  'forwarded',
  'accept-encoding',
  'content-encoding',
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
])
const RESERVED_FAMILY = /^(?:proxy-|x-forwarded-|sec-|:)/

/** Safe headers: they reveal nothing about the client and may follow cross-origin redirects. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * Checks the headers that a client asks the service to send.
 *
 * @param vouching Another name that is refused. @returns The headers with lower-case names.
 * @throws ServiceError BAD_REQUEST that names the header.
 */
export function checkHeaders(
  given: Readonly<Record<string, unknown>>,
  vouching: string | undefined,
): Record<string, string> {
  const entries = Object.entries(given)
  if (entries.length > MAX.headers) throw refused('headers', `must have at most ${MAX.headers} entries`)
  const headers: Record<string, string> = {}
  for (const [name, value] of entries) {
    const lower = name.toLowerCase()
    const field = `headers.${NAME.test(name) ? name : JSON.stringify(name.slice(0, 100))}`
    if (!NAME.test(name)) throw refused(field, 'must have a name of letters, digits and hyphens')
    if (RESERVED.has(lower) || RESERVED_FAMILY.test(lower) || lower === vouching?.toLowerCase())
      throw refused(field, 'is not allowed, because the service sets it')
    if (Object.hasOwn(headers, lower))
      throw refused(field, 'must be given only once; upper and lower case are the same')
    if (typeof value !== 'string' || value.length > MAX.value || !VALUE.test(value)) {
      throw refused(field, `must be a string of at most ${MAX.value} visible ASCII characters`)
    }
    headers[lower] = value
  }
  return headers
}

/** Returns the headers for a cross-origin redirect: only safe ones, since any other may carry a credential. */
export const forRedirect = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)))

const refused = (field: string, rule: string) => new ServiceError('BAD_REQUEST', `${field} ${rule}`)
