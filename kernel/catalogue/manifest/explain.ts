import type { ErrorObject } from 'ajv/dist/2020.js'

/** One fault of a manifest in words: its key path, what stands there, and what may. */
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

/** The key path below `base`, as authors write it: `/formats/tar.gz/aliases/0` is `formats["tar.gz"].aliases[0]`. */
function keyPath(base: string, pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), base)
}

/** A key behind a path, quoted where it has to be. */
export function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path ? `${path}.${key}` : key
}

/** A value as short as it can stand in a sentence. */
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
