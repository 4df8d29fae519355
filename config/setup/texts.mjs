import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Compiles the texts of a language to a list, in the order of the English keys, so that browsers load the keys only
 * once. The list is made from one string with a text on each line, which is shorter than many strings.
 */
export const compileTexts = {
  name: 'texts',
  setup(build) {
    build.onLoad({ filter: /\/texts\/\w+\.json$/ }, ({ path }) => {
      if (basename(path) === 'en.json') return undefined
      const [table, english] = [path, join(dirname(path), 'en.json')].map((file) =>
        JSON.parse(readFileSync(file, 'utf8')),
      )
      const texts = Object.keys(english).map((key) => shorten(table[key]))
      const lines = texts.map((text) => (typeof text === 'string' ? text : '')).join('\n')
      const plurals = Object.fromEntries([...texts.entries()].filter(([, text]) => typeof text !== 'string'))
      return {
        contents: `export default Object.assign(${JSON.stringify(lines)}.split('\\n'), ${JSON.stringify(plurals)})`,
      }
    })
  },
}

/** Leaves out plural forms that are equal to `other`. A text without other forms is a plain one. */
function shorten(text) {
  if (typeof text === 'string') return text
  const forms = Object.entries(text).filter(([form, words]) => form === 'other' || words !== text.other)
  return forms.length > 1 ? Object.fromEntries(forms) : text.other
}
