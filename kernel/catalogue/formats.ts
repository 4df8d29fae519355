import type { KnownFormat } from '../detection/hint.ts'
import { StartError } from '../errors.ts'
import type { LoadedPlugin } from './loader.ts'

/** The formats of all plugins, and the meaning of each spelling. */
export type Formats = ReturnType<typeof collectFormats>

/** @throws StartError if two plugins declare the same category or spelling; it blames the external plugin. */
export function collectFormats(loaded: readonly LoadedPlugin[]) {
  /** Formats by canonical extension. */
  const known = new Map<string, KnownFormat>()
  /** Canonical extensions by spelling, aliases included. */
  const spellings = new Map<string, string>()
  const categories = new Map<string, string>()
  for (const { name, plugin, outside = false } of loaded.toSorted(
    (a, b) => Number(a.outside ?? false) - Number(b.outside ?? false),
  )) {
    const { category, formats } = plugin
    const fault = (path: string, text: string) => new StartError(`plugins.${name ?? category}: ${path}: ${text}`)
    const rival = categories.get(category)
    if (rival !== undefined) throw fault('category', `"${category}" is already the category of the plugin ${rival}`)
    categories.set(category, name ?? category)
    for (const [extension, format] of Object.entries(formats)) {
      for (const spelling of [extension, ...(format.aliases ?? [])]) {
        const taken = known.get(spellings.get(spelling) ?? '')
        if (taken) {
          const owner = categories.get(taken.category) ?? taken.category
          throw fault(`formats.${extension}`, collision(spelling, taken, owner))
        }
        spellings.set(spelling, extension)
      }
      known.set(extension, { ...format, extension, category, outside })
    }
  }
  return { known, spellings }
}

function collision(spelling: string, { extension }: KnownFormat, owner: string): string {
  const meaning = spelling === extension ? '' : ` as an alias of ${extension}`
  return `declares ${spelling}, which the plugin ${owner} already has${meaning}; a route can convert from ${extension} without declaring it`
}
