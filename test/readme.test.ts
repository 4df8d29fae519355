/** What the README claims and shows is so. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { environmentSchema } from '../config/environment.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)![1]!

t.test('it leads to the tutorial for plugins, whose commands are tested', async (t) => {
  t.match(readme, '](docs/plugins.md)')
  t.match(readFileSync(join(root, 'test/docs/docs.test.ts'), 'utf8'), "'docs/plugins.md'")
})

t.test('it names every variable, and no script that does not exist', async (t) => {
  for (const name of Object.keys(environmentSchema.properties)) t.match(readme, `\`${name}\``, name)
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [, name] of readme.matchAll(/npm run ([\w:]+)/g)) t.ok(scripts[name!], name!)
  for (const [, path] of readme.matchAll(/\]\(([^):]+)\)/g)) t.ok(existsSync(join(root, path!)), path!)
})

t.test('the walk-through is five lines of bash, curl and sed', async (t) => {
  const lines = block('bash').trim().split('\n')
  t.equal(lines.length, 5)
  const programs = new Set(lines.join('\n').match(/\b(curl|sed|base64|ls|jq|python3?|node)\b/g))
  t.strictSame([...programs].sort(), ['base64', 'curl', 'ls', 'sed'])
})
