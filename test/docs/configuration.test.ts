/** The configuration reference matches the schemas, and contains every key of the example. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { environmentSchema } from '../../config/environment.ts'
import { loadConfig } from '../../config/load.ts'
import { MARKER, renderReference } from '../../config/reference.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const [, written] = readFileSync(join(root, 'docs/configuration.md'), 'utf8').split(MARKER)

t.test('the reference is up to date', async (t) => {
  t.equal(written, `\n\n${renderReference()}\n`, 'npm run docs writes it')
})

t.test('every variable and every key has a line', async (t) => {
  for (const name of Object.keys(environmentSchema.properties)) t.match(written!, `| \`${name}\` |`, name)
  const example = parse(readFileSync(join(root, 'config/example.yaml'), 'utf8'))
  const leaves = (tree: unknown, path: string): string[] =>
    tree && typeof tree === 'object' && !Array.isArray(tree) && Object.keys(tree).length
      ? Object.entries(tree).flatMap(([key, value]) => leaves(value, path ? `${path}.${key}` : key))
      : [path]
  const paths = leaves(example, '')
  t.ok(paths.length > 80)
  for (const path of paths) {
    const [, plan, key] = /^(plans\.\w+)\.(\w+)$/.exec(path) ?? []
    if (plan) t.match(written!, new RegExp(`\`${plan}\` [^\\n]*\\n[^#]*\\| \`${key}\` \\|`), path)
    else t.match(written!, `| \`${path}\` |`, path)
  }
})

t.test('configuration examples are accepted', async (t) => {
  const CONFIG_FILE = join(t.testdir(), 'athanor.yaml')
  const blocks = ['configuration', 'accounts', 'imports', 'page']
    .flatMap((name) => blocksOf(join(root, `docs/${name}.md`)))
    .filter(({ language }) => language === 'yaml')
  t.equal(blocks.length, 6)
  for (const { text } of blocks) {
    writeFileSync(CONFIG_FILE, text)
    t.doesNotThrow(() => loadConfig({ env: { CONFIG_FILE }, argv: [] }), text)
  }
})

t.test('the message in the guide is the one that a start prints', async (t) => {
  const CONFIG_FILE = join(t.testdir({ 'athanor.yaml': 'plans: { guest: { maxFileSize: 25MX } }' }), 'athanor.yaml')
  const [message] = blocksOf(join(root, 'docs/configuration.md')).filter(({ language }) => language === 'text')
  t.throws(() => loadConfig({ env: { CONFIG_FILE }, argv: [] }), {
    message: message!.text.trim().replace('athanor.yaml', CONFIG_FILE),
  })
})
