import type { Plugin } from '../../contract.ts'
import { createCompiler, join, shown, type Validate } from '../../json-schema.ts'

/** Lists faults of a well-formed manifest, such as unknown formats, duplicate aliases and invalid defaults. */
export function meaningFaults(plugin: Plugin): string[] {
  const meanings = new Map<string, string>(Object.keys(plugin.formats).map((name) => [name, name]))
  const faults: string[] = []
  for (const [name, { aliases = [] }] of Object.entries(plugin.formats)) {
    for (const [at, alias] of aliases.entries()) {
      const taken = meanings.get(alias)
      if (taken) faults.push(`${join('formats', name)}.aliases[${at}]: "${alias}" is already a name of ${taken}`)
      else meanings.set(alias, name)
    }
  }

  /** Requires a canonical format of this plugin. With `foreign`, a format of another plugin is valid too. */
  const judge = (name: string, path: string, foreign = false) => {
    const meant = meanings.get(name)
    if (meant === name || (foreign && !meant)) return
    const right = meant
      ? `is an alias; write "${meant}"`
      : `is not a format of this plugin, which has ${Object.keys(plugin.formats).join(', ')}`
    faults.push(`${path}: "${name}" ${right}`)
  }
  const judgeEach = (names: readonly string[], path: string, foreign = false) => {
    for (const [at, name] of names.entries()) judge(name, `${path}[${at}]`, foreign)
  }

  for (const [at, route] of plugin.routes.entries()) {
    const path = `routes[${at}]`
    if ('transform' in route) {
      judgeEach(route.transform, `${path}.transform`)
      continue
    }
    judgeEach(route.to, `${path}.to`)
    judgeEach(route.from, `${path}.from`, true)
    if (!route.from.some((from) => route.to.some((to) => to !== from))) {
      faults.push(`${path} has no pair: from and to are the same format; use transform to optimise this format`)
    }
    if ('via' in route) judge(route.via, `${path}.via`, true)
  }
  for (const [at, rule] of (plugin.rules ?? []).entries()) judgeEach(rule.to ?? [], `rules[${at}].to`)
  for (const [key, option] of Object.entries(plugin.options)) {
    judgeEach(option.effect ?? [], `options.${key}.effect`)
    for (const to of Object.keys(option.defaults ?? {})) judge(to, `options.${key}.defaults`)
  }
  return faults.length > 0 ? faults : schemaFaults(plugin)
}

type Value = [path: string, value: unknown]

/** Compiles the schemas of options and rules. @throws Error that says what is wrong with the schema. */
export const compileSchema = createCompiler({ foreign: true, allErrors: true })

/** Checks that options and rules are JSON Schemas, and that options allow their own defaults and presets. */
function schemaFaults(plugin: Plugin): string[] {
  const { presets = [] } = plugin
  const compile = (schema: object, path: string): Validate | string => {
    try {
      return compileSchema(schema)
    } catch (cause) {
      return `${path} is not a valid JSON Schema: ${(cause as Error).message}`
    }
  }
  return [
    ...Object.entries(plugin.options).flatMap(([key, option]) => {
      const { effect: _, defaults = {}, implied: __, description: ___, ...schema } = option
      const validate = compile(schema, `options.${key}`)
      if (typeof validate === 'string') return [validate]
      const values = Object.entries(defaults).map(([to, value]): Value => [`options.${key}.defaults.${to}`, value])
      if (schema.default !== undefined) values.push([`options.${key}.default`, schema.default])
      for (const [at, { options }] of presets.entries())
        if (Object.hasOwn(options, key)) values.push([`presets[${at}].options.${key}`, options[key]])
      return values
        .filter(([, value]) => validate(value).length > 0)
        .map(([path, value]) => `${path} is ${shown(value)}, which the schema of the option does not allow`)
    }),
    ...presets.flatMap((preset, at) =>
      Object.keys(preset.options)
        .filter((key) => !Object.hasOwn(plugin.options, key))
        .map((key) => `presets[${at}].options.${key} is not an option of this plugin`),
    ),
    ...(plugin.rules ?? []).flatMap(({ forbid }, at) => {
      const forbids = compile(forbid, `rules[${at}].forbid`)
      if (typeof forbids === 'string') return [forbids]
      return forbids({}).length === 0 ? [`rules[${at}].forbid forbids jobs without any option: add "required"`] : []
    }),
  ]
}
