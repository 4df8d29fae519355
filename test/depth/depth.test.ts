/** Proof in depth: which specimens, pairs and features there are, and one conversion of each family. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { corpus } from '../fixtures/corpus.ts'
import { startMachine } from '../harness/machine.ts'
import { assertAll } from '../matrix/runner.ts'
import { casesOf, few } from './cases.ts'
import { families } from './families.ts'
import { formatsOf } from './family.ts'
import { pairs } from './pairs.ts'
import { refusals } from './refusals.ts'
import { tryCase } from './trial.ts'

t.setTimeout(60 * 60_000)

t.test('proof in depth', async (t) => {
  await using machine = await startMachine()
  const { catalogue } = machine
  const known = new Set([...catalogue.pairs.keys(), ...catalogue.missing.map(({ from, to }) => `${from}>${to}`)])

  await t.test('the hundred pairs exist', async (t) => {
    t.equal(new Set(pairs).size, 100)
    const lost = pairs.filter((pair) => !known.has(pair))
    t.strictSame(lost, [])
  })

  for (const family of families)
    await t.test(`${family.name}: at least three specimens of each source format`, async (t) => {
      const { specimens, features, few = [] } = family
      const names = specimens.map(({ name }) => name)
      t.strictSame(names.length, new Set(names).size, 'each has its own name')
      const count = (format: string) => specimens.filter(({ from }) => from === format).length
      const rare = formatsOf(family).filter((format) => count(format) < 3 && !few.includes(format))
      t.strictSame(rare, [])
      const read = new Set(features.map(({ name }) => name))
      const unread = specimens.filter((specimen) => specimen.features.some((name) => !read.has(name)))
      t.strictSame(
        unread.map(({ name }) => name),
        [],
        'each feature has a reader',
      )
    })

  const files = await corpus()
  await t.test('the files to refuse exist', { skip: files.length === 0 && 'no corpus here' }, async (t) => {
    const lost = Object.keys(refusals).filter((name) => !files.some((path) => path.endsWith(`/${name}`)))
    t.strictSame(lost, [])
  })

  await t.test('what is dropped on purpose is documented', async (t) => {
    const page = (await readFile(join(import.meta.dirname, '../../docs/fidelity.md'), 'utf8')).replace(/\s+/g, ' ')
    for (const { name, features } of families)
      for (const { name: feature, documented } of features)
        if (documented) t.ok(page.includes(documented), `${feature} of ${name}`)
  })

  await t.test('a specimen of each family keeps its features', async (t) => {
    const all = families.flatMap((family) => casesOf(family, family.specimens, catalogue))
    const cases = few.flatMap((key) => all.find((one) => one.key === key) ?? [])
    t.strictSame(new Set(cases.map(({ family }) => family)).size, families.length)
    await assertAll(t, machine, cases, tryCase)
  })
})
