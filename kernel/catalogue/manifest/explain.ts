import type { ErrorObject } from 'ajv/dist/2020.js'

/** Describes one fault of a manifest: the key path, the value, and what is allowed. */
export function explain({ keyword, instancePath, params, data, parentSchema, schema }: ErrorObject, base = ''): string {
  const path = keyPath(base, instancePath)
  if (keyword === 'additionalProperties') {
    const allowed = Object.keys(parentSchema!.properties).join(', ')
    return `${join(path, params.additionalProperty)} is unknown; allowed are ${allowed}`
  }
  if (keyword === 'required') {
    const wanted = parentSchema!.properties?.[params.missingProperty]?.title
    return `${join(path, params.missingProperty)} is missing${wanted ? `: it must be ${wanted}` : ''}`
  }
  if (keyword === 'propertyNames') {
    return `${join(path, params.propertyName)}: the key must be ${(schema as { title?: string }).title}`
  }
  const title = parentSchema!.title ?? 'something else'
  return `${path || 'the default export'} must be ${title}, not ${shown(data)}`
}

/** Writes a JSON Pointer as a key path below `base`: `/formats/tar.gz/aliases/0` is `formats["tar.gz"].aliases[0]`. */
function keyPath(base: string, pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), base)
}

/** Appends a key to a path; quotes the key if it is not an identifier. */
export function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path ? `${path}.${key}` : key
}

/** Describes a value briefly for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.length > 0 ? `the list ${excerpt(value)}` : 'an empty list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return value === undefined ? 'undefined' : excerpt(value)
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
