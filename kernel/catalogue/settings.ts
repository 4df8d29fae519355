import { StartError } from '../errors.ts'
import { createCompiler, explainAll, type Validate } from '../json-schema.ts'

const compile = createCompiler({ foreign: true, allErrors: true, useDefaults: true })

/**
 * Validates an operator's settings for a plugin with the schema that its module exports, and fills in defaults. A
 * plugin without a schema takes no settings.
 *
 * @param given Settings from the configuration; not modified.
 * @param shared Sections of the configuration that every plugin gets whose schema has a property of that name.
 * @throws StartError that names the plugin and the key.
 */
export function readSettings(
  name: string,
  schema: unknown,
  given: Record<string, unknown>,
  shared: Record<string, unknown> = {},
): Record<string, unknown> {
  const [first] = Object.keys(given)
  if (schema === undefined && first !== undefined) {
    throw new StartError(
      `plugins.${name}.${first}: this plugin takes no settings. Write true to enable it, or false to disable it.`,
    )
  }
  if (schema === undefined) return {}
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  const sections = Object.entries(shared).filter(([key]) => known.includes(key))
  const settings = structuredClone({ ...Object.fromEntries(sections), ...given })
  const errors = compileSettings(name, schema)(settings)
  if (errors.length === 0) return settings
  const faults = explainAll(errors, { base: `plugins.${name}` })
  throw new StartError(`${faults.join('.\n')}.\nTo disable a plugin, write false.`)
}

function compileSettings(name: string, schema: unknown): Validate {
  try {
    return compile({ unevaluatedProperties: false, ...(schema as object), type: 'object' })
  } catch (cause) {
    throw new StartError(`plugins.${name}: its settings are not a valid JSON Schema: ${(cause as Error).message}.`, {
      cause,
    })
  }
}
