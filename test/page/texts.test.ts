/** Each language has all texts, with the same placeholders and all plural forms, and the page can load it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pluginNamed } from '../fixtures/plugin.ts'

const page = join(import.meta.dirname, '../../page')
type Table = Record<string, string | Record<string, string>>
const read = (folder: string, name: string): Table => JSON.parse(readFileSync(join(page, folder, name), 'utf8'))
const valuesOf = (text: unknown) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort()
const code = readdirSync(page, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(page, name), 'utf8'))
  .join('\n')

/** Names of options and presets in English are those of the plugins. */
t.test('options and presets', async (t) => {
  const english = read('details/texts', 'en.json')
  const told = new Map<string, string>()
  for (const name of ['archive', 'audio', 'cad', 'document', 'image', 'subtitle', 'vector', 'video']) {
    const { options, presets = [] } = await pluginNamed(name)
    for (const [key, { title, unit }] of Object.entries(options))
      told.set(`option.${key}`, unit ? `${title}, ${unit}` : title!)
    for (const { name, title } of presets) told.set(`preset.${name}`, title)
  }
  // The page's own: the format of the source without options.
  told.set('preset.lossless', 'Lossless')
  const own = Object.entries(english).filter(
    ([key]) => /^(option|preset)\./.test(key) && !['preset.label', 'preset.about'].includes(key),
  )
  t.strictSame(Object.fromEntries(own.sort()), Object.fromEntries([...told].sort()))
})

const loaders = readFileSync(join(page, 'texts/texts.ts'), 'utf8')

// The texts of the page, and those of its parts that are loaded later.
for (const folder of ['texts', 'account/texts', 'details/texts', 'picker/texts']) {
  const english = read(folder, 'en.json')
  // Interaction 22 of the page.
  const wanted = ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt', 'zh']
  const tables = readdirSync(join(page, folder)).filter((name) => name.endsWith('.json'))
  t.strictSame(
    tables.sort(),
    wanted.map((language) => `${language}.json`),
  )
  for (const name of tables) {
    t.test(`${folder}/${name}`, async (t) => {
      const table = read(folder, name)
      // Set-up compiles a language to a list: a missing text would shift the others.
      t.strictSame(Object.keys(table), Object.keys(english))
      if (name !== 'en.json') t.match(loaders, `/${name}')`, 'it is loaded')
      for (const text of Object.values(table).flatMap((text) =>
        typeof text === 'string' ? text : Object.values(text),
      ))
        t.match(text, /^\S(.*\S)?$/, 'a line without spaces around it')
      for (const [key, text] of Object.entries(table)) t.strictSame(valuesOf(text), valuesOf(english[key]), key)
      const forms = new Intl.PluralRules(name.slice(0, -'.json'.length)).resolvedOptions().pluralCategories
      const plurals = Object.entries(table).filter(([, text]) => typeof text !== 'string')
      for (const [key, text] of plurals) t.strictSame(Object.keys(text).sort(), forms.toSorted(), key)
    })
  }

  t.test(`every text of ${folder} is used`, async (t) => {
    // Keys that the page builds from names of the service.
    const composed = /^(option|group|category|error|preset|refused|wanted|way|choice|purpose|search)\./
    t.strictSame(
      Object.keys(english).filter((key) => !composed.test(key) && !code.includes(`'${key}'`)),
      [],
    )
  })
}
