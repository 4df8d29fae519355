import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { StartError } from '../errors.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: true })

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
  const validate = compile(name, schema)
  if (validate(settings)) return settings
  throw new StartError(validate.errors!.map((error) => `plugins.${name}${explain(error, schema)}`).join('\n'))
}

function compile(name: string, schema: unknown): ValidateFunction {
  try {
    return ajv.compile({ unevaluatedProperties: false, ...(schema as object), type: 'object' })
  } catch (cause) {
    throw new StartError(`plugins.${name}: its settings are not a valid JSON Schema: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

function explain({ instancePath, params, message }: ErrorObject, schema: unknown): string {
  const path = instancePath.replaceAll('/', '.')
  const unknown = params.unevaluatedProperty ?? params.additionalProperty
  if (unknown === undefined) return `${path}: ${message}.`
  const allowed = path ? [] : Object.keys((schema as { properties?: object }).properties ?? {})
  return `${path}.${unknown}: unknown key.${allowed.length ? ` Allowed are ${allowed.join(', ')}.` : ''} false disables the plugin.`
}
