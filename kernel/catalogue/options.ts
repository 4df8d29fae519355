import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Intent, Plugin } from '../contract.ts'
import { ServiceError } from '../errors.ts'
import { optionsSchema } from './tools.ts'

export interface OptionsValidator {
  /** @throws ServiceError UNKNOWN_OPTION, OPTION_NOT_APPLICABLE, INVALID_OPTIONS, in this order. */
  check(plugin: Plugin, to: string, options: Readonly<Record<string, unknown>>): void
  /** The options as a job gets them: what was given over the defaults. An optimisation has no quality by default. */
  complete(plugin: Plugin, to: string, intent: Intent, options: Readonly<Record<string, unknown>>): object
}

/** Judges options against the category of the target format. */
export function createOptionsValidator(plugins: readonly Plugin[]): OptionsValidator {
  const ajv = new Ajv2020({ strict: false })
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
      const accepted = Object.keys(plugin.options).join(', ') || 'none'
      const foreign = Object.keys(options).filter((key) => !Object.hasOwn(plugin.options, key))
      const unknown = foreign.find((key) => !owners.has(key))
      if (unknown !== undefined) {
        throw new ServiceError(
          'UNKNOWN_OPTION',
          `options.${excerpt(unknown)} is not an option; ${plugin.category} targets accept: ${accepted}`,
        )
      }
      if (foreign[0] !== undefined) {
        const categories = owners.get(foreign[0])!.map(({ category }) => category)
        throw new ServiceError(
          'OPTION_NOT_APPLICABLE',
          `options.${foreign[0]} applies to ${categories.join(', ')} targets, not to ${plugin.category}, which accepts: ${accepted}`,
        )
      }
      const rule = plugin.rules?.find((rule) => (!rule.to || rule.to.includes(to)) && validatorOf(rule.forbid)(options))
      const validate = validatorOf(optionsSchema(plugin, to))
      if (validate(options)) return
      // A broken rule is said in its own words, but a value of the wrong kind comes first.
      const fault = validate.errors!.find((error) => error.keyword !== 'not') ?? validate.errors![0]!
      throw new ServiceError('INVALID_OPTIONS', fault.keyword === 'not' && rule ? rule.message : sentence(fault))
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

function sentence({ instancePath, keyword, params, message }: ErrorObject): string {
  const field = `options${instancePath.replaceAll('/', '.')}`
  if (keyword === 'enum') return `${field} must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'minimum' || keyword === 'maximum') return `${field} must be ${params.comparison} ${params.limit}`
  if (keyword === 'type') return `${field} must be ${/^[aeiou]/.test(params.type) ? 'an' : 'a'} ${params.type}`
  return `${field} ${message}`
}
