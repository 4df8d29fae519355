import t from 'tap'
import { neededBy, reachedBy } from './imports.ts'
import { isDeep, select, testFiles, UnknownName } from './selection.ts'

const all = [
  'test/matrix/matrix.test.ts',
  'test/matrix/routes.all.test.ts',
  'test/plugins/image/options.test.ts',
  'test/plugins/image/pages.all.test.ts',
  'test/queue/lanes.all.test.ts',
  'test/queue/lanes.test.ts',
  'test/restart.test.ts',
]

t.test('words name files, folders, plugins and engines', async (t) => {
  const cases: [word: string, deep: boolean, files: string[], only?: string][] = [
    ['test/restart.test.ts', false, ['test/restart.test.ts']],
    ['./restart.test.ts', false, ['test/restart.test.ts']],
    ['restart', false, ['test/restart.test.ts']],
    ['lanes', false, ['test/queue/lanes.test.ts']],
    ['pages', false, ['test/plugins/image/pages.all.test.ts']],
    ['queue/lanes', true, ['test/queue/lanes.test.ts']],
    ['matrix/routes.all.test.ts', false, ['test/matrix/routes.all.test.ts']],
    ['test/matrix', false, ['test/matrix/matrix.test.ts']],
    ['matrix/', true, ['test/matrix/matrix.test.ts', 'test/matrix/routes.all.test.ts']],
    ['kernel/queue', false, ['test/queue/lanes.test.ts']],
    ['plugins/image', false, ['test/plugins/image/options.test.ts']],
    ['image', true, all.slice(0, 4), 'image'],
    ['libreoffice', false, ['test/matrix/matrix.test.ts'], 'libreoffice'],
  ]
  for (const [word, deep, files, only] of cases)
    t.strictSame(select([word], all, deep), { files, ...(only && { only }) }, word)
})

t.test('an unknown name is told with the nearest one', async (t) => {
  const messages = {
    imge: 'image',
    'test/restrat.test.ts': 'test/restart.test.ts',
    'plugins/imag': 'plugins/image',
    restrat: 'restart',
  }
  for (const [word, meant] of Object.entries(messages))
    t.throws(() => select([word], all, false), { constructor: UnknownName, message: `Did you mean "${meant}"?` })
  t.throws(() => select(['what is this'], all, false), /^No test file, .* is called "what is this"\.$/)
})

t.test('a change reaches the tests that need the file, nearest first', async (t) => {
  const tests = testFiles().filter((file) => !isDeep(file))
  const first = (file: string) => reachedBy([file], tests)[0]
  t.equal(first('config/units.ts'), 'test/config/units.test.ts')
  t.equal(first('CONTRIBUTING.md'), 'test/docs/docs.test.ts')
  t.ok(reachedBy(['test/run/selection.ts'], tests).includes('test/run/selection.test.ts'))
  t.notOk(reachedBy(['engines/programs/sharp/worker.ts'], tests).includes('test/config/nearest.test.ts'))
  const matrix = neededBy('test/matrix/matrix.test.ts')
  for (const file of [
    'plugins/image/index.ts',
    'engines/sharp.ts',
    'engines/programs/sharp/worker.ts',
    'kernel/sandbox/sandboxes.ts',
  ])
    t.ok(matrix.has(file), `the matrix needs ${file}`)
})

t.test('every script of the product is needed by a test', async (t) => {
  // The architecture test reads all of them, and runs none.
  const tests = testFiles().filter((file) => file !== 'test/architecture.test.ts')
  const needed = new Set(tests.flatMap((file) => [...neededBy(file).keys()]))
  const { sources } = await import('./imports.ts')
  const product = sources.filter((file) => !/^(test|bench|sdk)\//.test(file))
  t.strictSame(
    product.filter((file) => !needed.has(file)),
    [],
  )
})
