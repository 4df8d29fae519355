/** The commands of the documentation work. */
import { join } from 'node:path'
import t from 'tap'
import { follow } from './tutorial.ts'

const root = join(import.meta.dirname, '../..')

/** Documents with commands to run, in order. */
const followed = [
  { document: 'docs/plugins.md' },
  { document: 'README.md', served: true },
  { document: 'docs/api.md', served: true },
  { document: 'docs/command-line.md', served: true },
  { document: 'docs/accounts.md', served: true },
  { document: 'docs/operations.md', served: true },
  { document: 'docs/security.md', served: true },
]
for (const { document, served } of followed) {
  t.test(`the commands of ${document} work`, { timeout: 900_000 }, async (t) => {
    const steps = await follow(join(root, document), { served })
    t.ok(steps.length > 0)
    for (const { block, expected, printed, code } of steps) {
      if (!t.equal(code, 0, `line ${block.line} works`)) return t.comment(printed)
      if (block.text.includes('node --test')) t.match(printed, /✔ the plugin \w+ conforms/, 'the tests that it runs')
      if (expected !== undefined) t.match(printed, pattern(expected), `line ${block.line} prints what is shown`)
    }
  })
}

/** Matches the whole output. `…` stands for anything within a line. The last line end is optional. */
function pattern(expected: string): RegExp {
  return new RegExp(`^${expected.trimEnd().split('…').map(RegExp.escape).join('.*')}\\n?$`)
}
