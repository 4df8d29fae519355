import type { Intent, Plugin } from '../contract.ts'
import { ServiceError } from '../errors.ts'
import { explain } from '../json-schema.ts'
import { compileSchema } from './manifest/meaning.ts'
import { optionsSchema } from './tools.ts'

export type OptionsValidator = ReturnType<typeof createOptionsValidator>

/** Validates options against the category of the target format. */
export function createOptionsValidator(plugins: readonly Plugin[]) {
  const owners = Map.groupBy(
    plugins.flatMap(({ category, options }) => Object.keys(options).map((key) => ({ key, category }))),
    ({ key }) => key,
  )

  return {
    /** @throws ServiceError UNKNOWN_OPTION, OPTION_NOT_APPLICABLE, INVALID_OPTIONS, checked in this order. */
    check(plugin: Plugin, to: string, options: Readonly<Record<string, unknown>>) {
      const names = () => Object.keys(plugin.options).join(', ') || 'none'
      const foreign = Object.keys(options).filter((key) => !Object.hasOwn(plugin.options, key))
      const unknown = foreign.find((key) => !owners.has(key))
      if (unknown !== undefined) {
        throw new ServiceError(
          'UNKNOWN_OPTION',
          `options.${excerpt(unknown)} is not an option; ${plugin.category} targets accept: ${names()}`,
        )
      }
      const [other] = foreign
      if (other !== undefined) {
        const categories = owners.get(other)?.map(({ category }) => category) ?? []
        throw new ServiceError(
          'OPTION_NOT_APPLICABLE',
          `options.${other} applies to ${categories.join(', ')} targets, not to ${plugin.category}, which accepts: ${names()}`,
        )
      }
      const errors = compileSchema(optionsSchema(plugin, to))(options)
      // Report an invalid value first, then a broken rule with the rule's own message.
      const error = errors.find(({ keyword }) => keyword !== 'not') ?? errors[0]
      if (!error) return
      const rules = (plugin.rules ?? []).filter((rule) => !rule.to || rule.to.includes(to))
      const broken = rules.find(({ forbid }) => compileSchema(forbid)(options).length === 0)
      const isOfRule = error.keyword === 'not' && broken
      throw new ServiceError(
        'INVALID_OPTIONS',
        isOfRule ? broken.message : explain(error, { base: 'options', given: kindOf }),
      )
    },

    /** Returns a job's options, with defaults for those not given. Optimisations have no default quality. */
    complete(plugin: Plugin, to: string, intent: Intent, options: Readonly<Record<string, unknown>>) {
      const entries = Object.entries(plugin.options).map(([key, schema]) => {
        const defaults = intent === 'convert' ? { ...schema.defaults } : {}
        const usual = schema.implied ? undefined : Object.hasOwn(defaults, to) ? defaults[to] : schema.default
        return [key, Object.hasOwn(options, key) ? options[key] : usual]
      })
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    },
  }
}

const excerpt = (key: string) => JSON.stringify(key.slice(0, 40)).slice(1, -1)

/** Describes the given value: a number by its value, others by their type; '' if the type is right. */
function kindOf(value: unknown, { type }: { type?: unknown }): string {
  if (typeof value === 'number') return String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === type) return ''
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
