/** The claims of the README are true. commands.all.test.ts runs its commands. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fileSchema } from '../../config/schema.ts'
import { pluginNamed } from '../fixtures/plugin.ts'
import { readProved } from '../matrix/proved.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const path = join(root, 'README.md')
const readme = readFileSync(path, 'utf8')
/** Formats that only FreeCAD reads and writes. */
const extras = ['step', 'iges', 'brep', 'fcstd']

t.test('it is short, and links to every document', async (t) => {
  t.ok(readme.trimEnd().split('\n').length <= 80)
  const documents = ['install', 'configuration', 'operations', 'monitoring', 'api', 'accounts', 'imports', 'security']
  for (const name of [...documents, 'plugins', 'models', 'architecture', 'licences']) {
    t.match(readme, `](docs/${name}.md)`)
  }
})

t.test('one command starts a container; a clone has one to start and one to test', async (t) => {
  const [container, clone] = blocksOf(path).filter((block) => block.words.includes('skip'))
  t.equal(container!.text.trim().split('\n').length, 1)
  t.match(clone!.text, /^git clone .*\nnpm start .*\nnpm test .*\n$/)
})

t.test('its table has the right numbers of formats and of proved pairs', async (t) => {
  const pairs = [...readProved()].map((pair) => pair.split('>') as [string, string])
  const counts = new Map<string, string>()
  let formats = 0
  const { properties } = fileSchema.properties.plugins as { properties: Record<string, { default: boolean }> }
  for (const name of Object.keys(properties).filter((name) => properties[name]!.default)) {
    const plugin = await pluginNamed(name)
    const own = Object.keys(plugin.formats)
    const into = pairs.filter(([, to]) => own.includes(to)).length
    counts.set(plugin.category, `${own.length} ${into.toLocaleString('en')}`)
    formats += own.length
  }
  const rows = [...readme.matchAll(/^\| (\w+) \| (\d+) \| ([\d,]+) \|/gm)]
  t.strictSame(new Map(rows.map(([, category, own, into]) => [category, `${own} ${into}`])), counts)
  const lean = pairs.filter((pair) => !pair.some((format) => extras.includes(format))).length
  const [all, least] = [pairs.length, lean].map((count) => count.toLocaleString('en'))
  t.match(readme, `knows ${formats} formats. It converts ${all} pairs`)
  t.match(readme, `${least} without the extras`)
})
