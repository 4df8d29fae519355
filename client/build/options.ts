/**
 * Writes client/options.ts from the plugins: `npm run client-types`. A test checks that they match. The OpenAPI
 * document comes from the same declarations.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../../kernel/catalogue/settings.ts'
import type { OptionSchema, Plugin, PluginFactory } from '../../kernel/contract.ts'

/** What every call of the client takes; no option may have one of these names. */
const TAKEN = ['signal', 'onProgress', 'fileName', 'fromFormat', 'jobIntent', 'idempotencyKey', 'concurrency']

const typeOf = ({ type, enum: choices }: OptionSchema): string =>
  choices ? choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : choice)).join(' | ') : NATIVE[type]

const NATIVE = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' } as const

const nameOf = (category: string) => `${category.slice(0, 1).toUpperCase()}${category.slice(1)}`

/** A comment above a property, in lines of at most 120 characters. */
function comment(text: string): string {
  const line = `  /** ${text} */`
  if (line.length <= 120) return `${line}\n`
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length > 112) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return `  /**\n${lines.map((each) => `   * ${each}\n`).join('')}   */\n`
}

function optionsOf({ category, options }: Plugin): string {
  const fields = Object.entries(options).map(([key, schema]) => {
    if (TAKEN.includes(key)) throw new Error(`${category}: the client uses ${key} for something else`)
    return `${comment(schema.description)}  ${key}?: ${typeOf(schema)}\n`
  })
  if (fields.length === 0)
    return `/** ${nameOf(category)} targets have no options. */\nexport type ${nameOf(category)}Options = Record<never, never>\n`
  return `/** Options of ${category} targets. */\nexport interface ${nameOf(category)}Options {\n${fields.join('')}}\n`
}

/** Makes the types of targets and of their options. */
export function clientTypes(plugins: readonly Plugin[]): string {
  const targets = (plugin: Plugin) =>
    Object.keys(plugin.formats)
      .flatMap((name) => [name, ...(plugin.formats[name]?.aliases ?? [])])
      .map((name) => `  | '${name}'\n`)
      .join('')
  const unions = plugins.map(
    (plugin) =>
      `/** Formats of the category ${plugin.category}. */\nexport type ${nameOf(plugin.category)}Target =\n${targets(plugin)}`,
  )
  const names = plugins.map(({ category }) => nameOf(category))
  const choice = names.map((name) => `To extends ${name}Target ? ${name}Options : `).join('')
  return `/** Targets and their options. Written by \`npm run client-types\`: change the plugins. */

${plugins.map(optionsOf).join('\n')}
${unions.join('\n')}
/** Formats that are known here; a service may have others. */
export type Target = ${names.map((name) => `${name}Target`).join(' | ')}

/** The options of a target. Of one that is not known here: any, each a text, a number or a boolean. */
export type OptionsOf<To extends string> = ${choice}Readonly<Record<string, unknown>>
`
}

/** Loads the plugins that are open by default. */
export async function openPlugins(): Promise<Plugin[]> {
  const { fileSchema } = await import('../../config/schema.ts')
  const { properties } = fileSchema.properties.plugins as { properties: Record<string, { default: boolean }> }
  const names = Object.keys(properties).filter((name) => properties[name]?.default)
  return Promise.all(
    names.map(async (name) => {
      const module = (await import(`../../plugins/${name}/index.ts`)) as {
        default: Plugin | PluginFactory
        settings?: unknown
      }
      const settings = readSettings(name, module.settings, {})
      return typeof module.default === 'function' ? module.default({ settings, engines: {} }) : module.default
    }),
  )
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../options.ts'), clientTypes(await openPlugins()))
}
