/** Every code block of the documentation is valid. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { type Block, blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const documents = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  ...readdirSync(root).filter((name) => /^(README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/.test(name)),
]
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Checks for each language. They return what is wrong with a block, or nothing. */
const judges: Record<string, (text: string) => string | undefined> = {
  sh: (text) => spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr,
  js: (text) =>
    spawnSync(process.execPath, ['--check', '--input-type=module', '-'], { input: text, encoding: 'utf8' }).stderr,
  ts: (text) => judges.js!(stripTypeScriptTypes(text)),
  json: (text) => void JSON.parse(text),
  yaml: (text) => void parse(text),
  output: () => undefined,
  ini: (text) => text.split('\n').find((line) => !/^(\s*([#;].*)?|\[.+\]|[^=\s][^=]*=.*|\s+\S.*)$/.test(line)),
  // Each line is empty, ends a directive, or opens or closes a block.
  nginx: (text) => text.split('\n').find((line) => !/^\s*(\}|\S.*[;{])?$/.test(line)),
  text: () => undefined,
}

for (const document of documents) {
  t.test(document, async (t) => {
    for (const { language, text, line, words } of blocksOf(join(root, document))) {
      const judge = judges[language]
      t.ok(judge, `line ${line}: ${language || 'a block without a language'} is one that is checked`)
      if (!words.includes('part'))
        t.doesNotThrow(() => t.equal(judge?.(text) || '', '', `line ${line}`), `line ${line}`)
    }
    const text = readFileSync(join(root, document), 'utf8')
    for (const [, name] of text.matchAll(/npm run (?:--silent )?([\w:]+)/g)) t.ok(scripts[name!], `npm run ${name}`)
    for (const [, path] of text.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)) {
      t.ok(existsSync(join(root, dirname(document), path!)), `the link to ${path}`)
    }
  })
}

t.test('the checks of blocks find errors', async (t) => {
  t.match(judges.sh!('if true; do\n'), /syntax error/)
  t.match(judges.js!('const a = \n'), /SyntaxError/)
  t.throws(() => judges.ts!('enum A { B }'))
  t.throws(() => judges.json!('{"a":1,}'))
  t.throws(() => judges.yaml!('a: [1'))
  const file = (text: string) => join(t.testdir({ 'a.md': text }), 'a.md')
  t.throws(() => blocksOf(file('```sh\necho\n')), /a\.md:1: this block never closes/)
  const [block] = blocksOf(file('\n```yaml file=a.yaml\na: 1\n```\n')) as [Block]
  t.strictSame(block, { language: 'yaml', words: ['file=a.yaml'], file: 'a.yaml', text: 'a: 1\n', line: 2 })
})
