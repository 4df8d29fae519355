import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Intent, OptionSchema, Plugin } from '../contract.ts'
import { ServiceError } from '../errors.ts'
import { optionsSchema } from './tools.ts'

export interface OptionsValidator {
  /** @throws ServiceError UNKNOWN_OPTION, OPTION_NOT_APPLICABLE, INVALID_OPTIONS, checked in this order. */
  check(plugin: Plugin, to: string, options: Readonly<Record<string, unknown>>): void
  /** Returns a job's options, with defaults for those not given. Optimisations have no default quality. */
  complete(plugin: Plugin, to: string, intent: Intent, options: Readonly<Record<string, unknown>>): object
}

/** Validates options against the category of the target format. */
export function createOptionsValidator(plugins: readonly Plugin[]): OptionsValidator {
  // The schemas were checked with the manifests.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, addUsedSchema: false })
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object) => {
    let validate = validators.get(schema)
    if (!validate) validators.set(schema, (validate = ajv.compile(schema)))
    return validate
  }
  const owners = Map.groupBy(
    plugins.flatMap(({ category, options }) => Object.keys(options).map((key) => ({ key, category }))),
    ({ key }) => key,
  )

  return {
    check(plugin, to, options) {
      const names = () => Object.keys(plugin.options).join(', ') || 'none'
      const foreign = Object.keys(options).filter((key) => !Object.hasOwn(plugin.options, key))
      const unknown = foreign.find((key) => !owners.has(key))
      if (unknown !== undefined) {
        throw new ServiceError(
          'UNKNOWN_OPTION',
          `options.${excerpt(unknown)} is not an option; ${plugin.category} targets accept: ${names()}`,
        )
      }
      if (foreign[0] !== undefined) {
        const categories = owners.get(foreign[0])!.map(({ category }) => category)
        throw new ServiceError(
          'OPTION_NOT_APPLICABLE',
          `options.${foreign[0]} applies to ${categories.join(', ')} targets, not to ${plugin.category}, which accepts: ${names()}`,
        )
      }
      const rule = plugin.rules?.find((rule) => (!rule.to || rule.to.includes(to)) && validatorOf(rule.forbid)(options))
      const validate = validatorOf(optionsSchema(plugin, to))
      if (validate(options)) return
      // Report an invalid value first, then a broken rule with the rule's own message.
      const fault = validate.errors!.find((error) => error.keyword !== 'not') ?? validate.errors![0]!
      const message = fault.keyword === 'not' && rule ? rule.message : explain(fault, plugin.options, options)
      throw new ServiceError('INVALID_OPTIONS', message)
    },

    complete(plugin, to, intent, options) {
      const entries = Object.entries(plugin.options).map(([key, schema]) => {
        const byTarget = intent === 'convert' && schema.defaults && Object.hasOwn(schema.defaults, to)
        const usual = schema.implied ? undefined : byTarget ? schema.defaults![to] : schema.default
        return [key, Object.hasOwn(options, key) ? options[key] : usual]
      })
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    },
  }
}

const excerpt = (key: string) => JSON.stringify(key.slice(0, 40)).slice(1, -1)

/** Describes what is wrong with one option, and what it accepts. */
function explain(
  { instancePath, message }: ErrorObject,
  schemas: Plugin['options'],
  options: Readonly<Record<string, unknown>>,
): string {
  const key = instancePath.slice(1)
  const schema = schemas[key]
  if (!schema) return `options${instancePath.replaceAll('/', '.')} ${message}`
  const given = kindOf(options[key], schema)
  return `options.${key} must be ${accepted(schema)}${given ? `, not ${given}` : ''}`
}

/** Describes the values that a schema accepts. */
function accepted({ type, enum: values, minimum, maximum }: OptionSchema): string {
  if (values) return list(values.map((value) => JSON.stringify(value)))
  if (type === 'boolean') return 'true or false'
  if (type === 'string') return 'a string'
  const number = type === 'integer' ? 'an integer' : 'a number'
  if (minimum !== undefined && maximum !== undefined) return `${number} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${number} of at least ${minimum}`
  return maximum === undefined ? number : `${number} of at most ${maximum}`
}

const list = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words[0]!

/** Describes the given value: a number by its value, others by their type; '' if the type is right. */
function kindOf(value: unknown, { type }: OptionSchema): string {
  if (typeof value === 'number') return String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === type) return ''
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
