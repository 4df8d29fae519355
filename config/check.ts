import { Resolver } from 'node:dns'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import ipaddr from 'ipaddr.js'
import { StartError } from '../kernel/errors.ts'
import { nearest } from './nearest.ts'
import { readStorageUrl, STORAGE_FORMS } from './storage-url.ts'
import { spellBytes, spellDuration, unitKeywords } from './units.ts'

/** Validation of each format, and its wording in error messages. */
const formats: Record<string, { expected: string; validate: (text: string) => boolean }> = {
  cidr: { expected: 'an address or CIDR such as 10.0.0.0/8', validate: isCidr },
  'name-server': {
    expected: 'an address with an optional port, such as 9.9.9.9 or 127.0.0.1:5353',
    validate: isNameServer,
  },
  'http-url': { expected: 'an http:// or https:// URL without a query', validate: isHttpUrl },
  origin: { expected: 'an origin such as https://app.example.org, or *', validate: isOrigin },
  'mysql-url': {
    expected: 'a mysql:// URL (MySQL or MariaDB; unset: SQLite)',
    validate: (text) => /^mysql:\/\/./.test(text) && URL.canParse(text),
  },
  'https-url': {
    expected: 'an https:// URL without a query (http:// only for this machine)',
    validate: (text) =>
      isHttpUrl(text) && (/^https:/.test(text) || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${text}/`)),
  },
  'smtp-url': {
    expected: 'a URL such as smtps://user:password@host:465, with smtp:// or smtps://',
    validate: (text) => /^smtps?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text),
  },
  'storage-url': {
    expected: `${STORAGE_FORMS} (unset: files in DATA_DIR)`,
    validate: (text) => readStorageUrl(text) !== undefined,
  },
  email: {
    expected: 'an email address, or a name and <an email address>',
    validate: (text) => /^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(text),
  },
  'redis-url': {
    expected: 'a URL such as redis://user:password@host:6379/0, or with rediss:// (unset: one node with its own queue)',
    validate: (text) => /^rediss?:\/\/[^/?#]+(\/\d{0,3})?$/.test(text) && URL.canParse(text),
  },
}

/** Keys whose values must not appear on a terminal. */
const secret = /SECRET|TOKEN|URL$|Secret$|^accounts\.providers|^metrics\.token/

/** Whether the value of a key, or of a key below it, may be a secret. */
const hides = (name: string, { properties = {} }: Record<string, any>): boolean =>
  secret.test(name) || Object.entries<object>(properties).some(([key, schema]) => hides(`${name}.${key}`, schema))

/** Makes a compiler for one check: what it compiles is large, and seldom needed again. */
const createAjv = (coerce: boolean) =>
  new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    useDefaults: !coerce,
    coerceTypes: coerce,
    // These schemas are the service's own.
    validateSchema: false,
    formats: Object.fromEntries(Object.entries(formats).map(([name, { validate }]) => [name, validate])),
    keywords: coerce ? [] : unitKeywords,
  })

/**
 * Checks a value against a schema, fills in defaults and converts sizes and durations to numbers, in place.
 * `coerce` converts text to numbers, because environment variables are always text. It fills in no defaults and
 * converts no units.
 *
 * @throws StartError with one line per fault: source, key, given value and allowed values.
 */
export function check(schema: object, value: unknown, source: string, { coerce = false } = {}): void {
  const validate = createAjv(coerce).compile(schema)
  if (validate(value)) return
  const lines = new Map(
    validate.errors!.map((error) => [error.instancePath + (error.params.additionalProperty ?? ''), error]),
  )
  throw new StartError([...lines.values()].map((error) => `${source}: ${explain(error)}`).join('\n'))
}

function explain({ keyword, instancePath, params, data, parentSchema }: ErrorObject): string {
  const path = instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'additionalProperties') {
    const allowed = Object.keys(parentSchema!.properties)
    const key: string = params.additionalProperty
    const guess = nearest(key, allowed)
    const name = [...path.filter(Boolean), key].join('.')
    return `${name.slice(0, 200)}: unknown key${guess ? `, did you mean ${guess}?` : ''} Allowed are ${allowed.join(', ')}.`.replace(
      /key A/,
      'key. A',
    )
  }
  if (keyword === 'dependentRequired') return `${params.property}: needs ${params.missingProperty}.`
  if (keyword === 'required') {
    return `${[...path.filter(Boolean), params.missingProperty].join('.')}: is missing; expected text.`
  }
  if (keyword === 'propertyNames') {
    return `${path.join('.')}.${params.propertyName}: is not a valid name; expected up to 32 of a-z, 0-9 and -, starting with a letter.`
  }
  const name = path.join('.') || 'the file'
  const given =
    instancePath && hides(name, parentSchema!) ? '' : ` ${JSON.stringify(data).slice(0, 80)} is not allowed;`
  const guess = parentSchema!.enum && typeof data === 'string' ? nearest(data, parentSchema!.enum) : undefined
  return `${name}:${given} expected ${expected(parentSchema!)}.${guess ? ` Did you mean ${guess}?` : ''}`
}

/** Describes in words what a schema allows. */
function expected(schema: Record<string, any>): string {
  const types = [schema.type].flat() as string[]
  const range = `${schema.minimum ?? ''}${schema.maximum === undefined ? ' or more' : ` to ${schema.maximum}`}`
  const words: Record<string, string> = {
    integer: `a whole number, ${range}`,
    boolean: 'true or false',
    array: `a list of ${expectedItem(schema.items)}`,
    object: schema.properties ? `an object with keys from ${Object.keys(schema.properties).join(', ')}` : 'settings',
    string: schema.minLength > 1 ? `text of ${schema.minLength} characters or more` : 'text',
    null: types.includes('object') ? 'null' : 'null for no limit',
  }
  if (schema.enum) return schema.enum.length > 1 ? `one of ${schema.enum.join(', ')}` : schema.enum[0]
  if (schema.format) return formats[schema.format]!.expected
  const orNull = types.includes('null') ? ' or null' : ''
  if (schema.bytes !== undefined) {
    const least = schema.bytes > 1 ? ` (${spellBytes(schema.bytes)} or more)` : ''
    return `bytes${least}, or a size such as 25MB or 2GB${orNull}`
  }
  if (schema.duration !== undefined) {
    const least = schema.duration ? `${spellDuration(schema.duration)} ` : ''
    return `seconds, or a duration such as 30s, 15m, 24h (${least}to ${spellDuration(schema.most)})${orNull}`
  }
  if (schema.title) return schema.title
  return types.map((type) => words[type]).join(' or ')
}

const expectedItem = (items?: Record<string, any>) => (items ? expected(items) : 'anything')

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
