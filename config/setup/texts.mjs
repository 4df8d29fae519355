import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

/**
 * Compiles the texts of the page to lists in the order of the English keys, so that browsers load the keys only once:
 * with a language, also the texts of the parts that are loaded later, which are too few for files of their own. A list
 * is made from one string with a text on each line, which is shorter than many strings. Keys become short names.
 *
 * @param page Absolute path of the sources of the page.
 */
export function compileTexts(page) {
  const places = [['page', 'texts'], ...readdirSync(page).map((part) => [part, `${part}/texts`])]
  const folders = Object.fromEntries(places.filter(([, folder]) => existsSync(join(page, folder, 'en.json'))))
  const keysOf = (folder) => Object.keys(read(join(page, folder, 'en.json')))
  const names = shortNames(page, Object.values(folders).flatMap(keysOf))
  const nameOf = (key) => names.get(key) ?? key
  /** Returns the module of another language: the lists of the page and of its parts. */
  const listsOf = (file) => {
    const lists = Object.entries(folders).map(([part, folder]) => {
      const table = read(join(page, folder, file))
      return `${part}: ${listOf(keysOf(folder).map((key) => table[key]))}`
    })
    return `export default { ${lists.join(', ')} }`
  }
  /** Returns the module of the English texts of a part, by key. */
  const tableOf = (path) => {
    const table = read(path)
    const keys = Object.keys(table).map(nameOf).join('\n')
    return `const list = ${listOf(Object.values(table))}
      export default Object.fromEntries(${linesOf(keys)}.map((key, at) => [key, list[at]]))`
  }
  return {
    name: 'texts',
    setup(build) {
      build.onLoad({ filter: /\/texts\/\w+\.json$/ }, ({ path }) => ({
        contents: basename(path) === 'en.json' ? tableOf(path) : listsOf(basename(path)),
      }))
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(LITERAL, (literal, key) =>
          names.has(key) ? `'${names.get(key)}'` : literal,
        ),
        loader: extname(path).slice(1),
      }))
    },
  }
}

/** The first number of two digits that begins with a letter. */
const FIRST = 360

/** A string that can be a key. */
const LITERAL = /'(\w+(?:\.\w+)+)'/g

/** Returns short names of keys, except of those that the page may compose, such as `error.${code}`. */
function shortNames(page, keys) {
  const sources = readdirSync(page, { recursive: true }).filter((path) => /\.tsx?$/.test(path))
  const code = sources.map((path) => readFileSync(join(page, path), 'utf8')).join('\n')
  const composed = new Set([...code.matchAll(/`(\w+)\.\$\{/g)].map(([, group]) => group))
  const whole = [...new Set(keys)].filter((key) => key.includes('.') && !composed.has(key.split('.')[0]))
  // Names like numbers would be sorted before the others.
  return new Map(whole.map((key, at) => [key, (at + FIRST).toString(36)]))
}

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const linesOf = (text) => `${JSON.stringify(text)}.split('\\n')`

/** Returns the code of a list. Plural forms that are equal to `other` are left out. */
function listOf(values) {
  const texts = values.map(shorten)
  const lines = texts.map((text) => (typeof text === 'string' ? text : '')).join('\n')
  const plurals = Object.fromEntries([...texts.entries()].filter(([, text]) => typeof text !== 'string'))
  return Object.keys(plurals).length ? `Object.assign(${linesOf(lines)}, ${JSON.stringify(plurals)})` : linesOf(lines)
}

/** A text without other forms is a plain one. */
function shorten(text) {
  if (typeof text === 'string') return text
  const forms = Object.entries(text).filter(([form, words]) => form === 'other' || words !== text.other)
  return forms.length > 1 ? Object.fromEntries(forms) : text.other
}
