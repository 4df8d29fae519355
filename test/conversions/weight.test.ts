/** What decides whether a job waits in the heavy lane. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Plugin } from '../../kernel/contract.ts'
import { isHeavy } from '../../kernel/conversions/weight.ts'
import { HookFault } from '../../kernel/hooks.ts'
import { openLocal } from '../../kernel/storage/file-stream.ts'

const folder = await mkdtemp(join(tmpdir(), 'weight-'))
t.teardown(() => rm(folder, { recursive: true }))
const path = join(folder, 'file')
await writeFile(path, `${'-'.repeat(100_000)}light`)

const job = { from: 'low', to: 'upp', intent: 'convert', size: 100_005, options: {} } as const
let opened = 0
const weigh = (functions: Pick<Plugin, 'heavy' | 'light'>, of = path) =>
  isHeavy({ category: 'letters', formats: {}, options: {}, routes: [], ...functions }, job, (range) => {
    opened++
    return openLocal(of, range)
  })
const heavy = () => true
const broken = () => {
  throw new TypeError('broken')
}
const endsWell: Plugin['light'] = async ({ size, peek }) =>
  (await peek(async (file) => (await file.read(size - 5, 5)).toString())) === 'light'

t.test('without a look at the file', async (t) => {
  t.equal(await weigh({}), false)
  t.equal(await weigh({ heavy: () => false, light: async () => false }), false)
  t.equal(await weigh({ heavy }), true)
  await t.rejects(weigh({ heavy: broken }), HookFault)
  t.equal(opened, 0, 'the file was not read')
})

t.test('by some bytes of the file', async (t) => {
  t.equal(await weigh({ heavy, light: endsWell }), false)
  const told: unknown[] = []
  t.equal(await weigh({ heavy, light: async ({ peek: _, ...rest }) => told.push(rest) > 1 }), true)
  t.strictSame(told, [job])
})

t.test('a look that fails leaves a job heavy', async (t) => {
  t.equal(await weigh({ heavy, light: endsWell }, join(folder, 'missing')), true)
  t.equal(await weigh({ heavy, light: async () => Promise.reject(new Error('broken')) }), true)
  t.equal(await weigh({ heavy, light: broken }), true)
  t.equal(await weigh({ heavy, light: async () => 1 as never }), true)
  t.equal(await weigh({ heavy, light: () => new Promise(() => {}) }), true, 'also one that never ends')
})
