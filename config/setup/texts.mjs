import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Compiles the texts of a language to a list, in the order of the English keys, so that browsers load the keys only once. Plural
 * forms that are equal to `other` are left out.
 */
export const compileTexts = {
  name: 'texts',
  setup(build) {
    build.onLoad({ filter: /\/texts\/\w+\.json$/ }, ({ path }) => {
      if (basename(path) === 'en.json') return undefined
      const [table, english] = [path, join(dirname(path), 'en.json')].map((file) =>
        JSON.parse(readFileSync(file, 'utf8')),
      )
      const list = Object.keys(english).map((key) => shorten(table[key]))
      return { contents: `export default ${JSON.stringify(list)}` }
    })
  },
}

const shorten = (text) =>
  typeof text === 'string'
    ? text
    : Object.fromEntries(Object.entries(text).filter(([form, words]) => form === 'other' || words !== text.other))
