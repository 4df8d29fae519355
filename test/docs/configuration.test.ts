/** The configuration reference is that of the schemas, and the examples and messages of the guide are true. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { MARKER, renderReference } from '../../config/reference.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const [, written] = readFileSync(join(root, 'docs/configuration.md'), 'utf8').split(MARKER)

t.test('the reference is up to date', async (t) => {
  t.equal(written, `\n\n${renderReference()}\n`, 'npm run docs writes it')
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
