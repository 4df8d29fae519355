/** Each language has all texts, with the same placeholders. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const folder = join(import.meta.dirname, '../../page/texts')
const read = (name: string): Record<string, string | Record<string, string>> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8'))
const tables = readdirSync(folder).filter((name) => name.endsWith('.json'))
const english = read('en.json')
const valuesOf = (text: unknown) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort()

for (const name of tables) {
  t.test(name, async (t) => {
    const table = read(name)
    t.strictSame(Object.keys(table).sort(), Object.keys(english).sort())
    for (const [key, text] of Object.entries(table)) t.strictSame(valuesOf(text), valuesOf(english[key]), key)
    const forms = new Intl.PluralRules(name.slice(0, -'.json'.length)).resolvedOptions().pluralCategories
    const plurals = Object.entries(table).filter(([, text]) => typeof text !== 'string')
    for (const [key, text] of plurals) t.strictSame(Object.keys(text).sort(), forms.toSorted(), key)
  })
}

t.test('every text is used', async (t) => {
  const sources = readdirSync(join(folder, '..'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const code = sources.map((name) => readFileSync(join(folder, '..', name), 'utf8')).join('\n')
  // Keys that the page builds from names of the service.
  const composed = /^(option|group|category|error|preset|refused)\./
  t.strictSame(
    Object.keys(english).filter((key) => !composed.test(key) && !code.includes(`'${key}'`)),
    [],
  )
})
