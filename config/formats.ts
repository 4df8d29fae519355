import { Resolver } from 'node:dns'
import ipaddr from 'ipaddr.js'
import { readStorageUrl, STORAGE_FORMS } from './storage-url.ts'

/** A format of text: what is expected, as "must be" continues, and the check. */
interface Format {
  expected: string
  isValid: (text: string) => boolean
}

const FORMATS = {
  cidr: { expected: 'an address or CIDR such as 10.0.0.0/8', isValid: isCidr },
  'name-server': {
    expected: 'an address with an optional port, such as 9.9.9.9 or 127.0.0.1:5353',
    isValid: isNameServer,
  },
  'http-url': { expected: 'an http:// or https:// URL without a query', isValid: isHttpUrl },
  origin: { expected: 'an origin such as https://app.example.org, or *', isValid: isOrigin },
  'mysql-url': {
    expected: 'a mysql:// URL',
    isValid: (text) => /^mysql:\/\/./.test(text) && URL.canParse(text),
  },
  'https-url': {
    expected: 'an https:// URL without a query (http:// only for this machine)',
    isValid: (text) =>
      isHttpUrl(text) && (/^https:/.test(text) || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${text}/`)),
  },
  'smtp-url': {
    expected: 'a URL such as smtps://user:password@host:465, with smtp:// or smtps://',
    isValid: (text) => /^smtps?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text),
  },
  'storage-url': {
    expected: STORAGE_FORMS,
    isValid: (text) => readStorageUrl(text) !== undefined,
  },
  email: {
    expected: 'an email address, or a name and <an email address>',
    isValid: (text) => /^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(text),
  },
  'redis-url': {
    expected: 'a URL such as redis://user:password@host:6379/0, or with rediss://',
    isValid: (text) => /^rediss?:\/\/[^/?#]+(\/\d{0,3})?$/.test(text) && URL.canParse(text),
  },
} satisfies Record<string, Format>

/** The check of each format. */
export const formatChecks: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  Object.entries(FORMATS).map(([name, { isValid }]) => [name, isValid]),
)

/** Schema of a text in a format. */
export const textOf = (format: keyof typeof FORMATS) => ({
  type: 'string' as const,
  format,
  expected: FORMATS[format].expected,
})

function isCidr(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
}

function isNameServer(text: string): boolean {
  try {
    new Resolver().setServers([text])
    return true
  } catch {
    return false
  }
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return !!url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
}

/** Whether a text is an origin as a browser sends it (scheme, host and port, RFC 6454), or `*`. */
function isOrigin(text: string): boolean {
  return text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)
}
