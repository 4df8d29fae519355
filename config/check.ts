import { StartError } from '../kernel/errors.ts'
import { createCompiler, explainAll, shown } from '../kernel/json-schema.ts'
import { formatChecks } from './formats.ts'
import { unitKeywords } from './units.ts'

/** Keys whose values must not appear on a terminal. */
const SECRET = /SECRET|TOKEN|URL$|Secret$|^accounts\.providers|^metrics\.token/

/** Whether the value of a key, or of a key below it, may be a secret. */
const isSecret = (path: string, { properties = {} }: { properties?: Readonly<Record<string, object>> }): boolean =>
  SECRET.test(path) || Object.entries(properties).some(([key, schema]) => isSecret(`${path}.${key}`, schema))

/**
 * Checks a value against a schema, fills in defaults and converts sizes and durations to numbers, in place.
 *
 * @throws StartError with one line per fault: source, key, allowed values and, unless it may be a secret, given value.
 */
export function check(schema: object, value: unknown, source: string): void {
  // Not kept: the compiled schema of the file is large, and seldom needed again.
  const compile = createCompiler({
    allErrors: true,
    useDefaults: true,
    formats: formatChecks,
    keywords: unitKeywords,
  })
  const errors = compile(schema)(value)
  if (errors.length === 0) return
  const lines = explainAll(errors, {
    whole: 'the file',
    given: (given, schema, path) => (path && isSecret(path, schema) ? '' : shown(given)),
  })
  throw new StartError(lines.map((line) => `${source}: ${line}${line.endsWith('?') ? '' : '.'}`).join('\n'))
}
