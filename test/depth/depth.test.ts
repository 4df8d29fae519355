/** Proof in depth: which specimens, pairs and features there are, and one conversion of each family. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { corpus } from '../fixtures/corpus.ts'
import { startMachine } from '../harness/machine.ts'
import { assertAll } from '../matrix/runner.ts'
import { casesOf, few, selected } from './cases.ts'
import { families } from './families.ts'
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

  const all = families.flatMap((family) => casesOf(family, family.specimens, catalogue))
  await t.test('each specimen is used, and each of its features has a reader', async (t) => {
    const converted = new Set(selected(all).map(({ specimen }) => specimen))
    for (const { name, specimens, features } of families) {
      const names = specimens.map((specimen) => specimen.name)
      t.strictSame(names.length, new Set(names).size, `${name}: each has its own name`)
      t.strictSame(
        specimens.filter((one) => !converted.has(one)).map((one) => one.name),
        [],
        `${name}: each is used`,
      )
      const read = features.map((feature) => feature.name)
      t.strictSame(
        specimens.flatMap((one) => one.features).filter((feature) => !read.includes(feature)),
        [],
        name,
      )
    }
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
    const cases = few.flatMap((key) => all.find((one) => one.key === key) ?? [])
    t.strictSame(new Set(cases.map(({ family }) => family)).size, families.length)
    await assertAll(t, machine, cases, tryCase)
  })
})
