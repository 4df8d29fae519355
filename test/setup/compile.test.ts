/** Our own programs are bundled, and a bundle is used as long as its sources are unchanged. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import t from 'tap'
import { bundled, bundles, digestOf } from '../../engines/node/bundled.ts'
import { declarePrograms } from '../../engines/node/declare-programs.ts'
import { commands } from '../../engines/node/program.ts'

const root = join(import.meta.dirname, '../..')
await declarePrograms()

t.test('a bundle is used as long as its sources are unchanged', async (t) => {
  const [bundle] = bundles
  t.ok(commands.some((words) => words.at(-1) === bundle!.place))
  const folder = t.testdir()
  const made = join(folder, 'bundles', basename(bundle!.place))
  await mkdir(dirname(made))
  const { madeOf } = JSON.parse(await readFile(`${bundle!.place}.json`, 'utf8')) as { madeOf: string[] }
  t.ok(madeOf.includes(relative(root, bundle!.file)) && madeOf.includes('node_modules/sharp/package.json'))
  const used = async (digest: string, paths = madeOf) => {
    await writeFile(`${made}.json`, JSON.stringify({ madeOf: paths, digest }))
    return bundled(bundle!.file, [], folder)
  }
  t.equal(bundled(bundle!.file, [], folder), undefined, 'missing')
  t.equal(await used(digestOf(madeOf)), made)
  t.equal(await used(digestOf(madeOf.slice(1))), undefined, 'of other sources')
  t.equal(await used(digestOf(madeOf), [...madeOf, 'engines/gone.ts']), undefined, 'of a source that is gone')
})
