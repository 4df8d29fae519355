/** Sparse files keep their content in every target, also after their last piece of data. */
import { link, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { unpack } from '../../matrix/unpack.ts'
import { packing } from './packing.ts'
import { rawTar } from './tar.ts'

const { convert, failure } = await packing(t)

const MB = 2 ** 20

/** Sizes of files, with pieces of data by their places. */
const files: Readonly<Record<string, { size: number; pieces: readonly number[] }>> = {
  'hole-at-end': { size: 3 * MB, pieces: [MB] },
  'hole-at-start': { size: 2 * MB + 7, pieces: [2 * MB] },
  // More pieces than the header of the oldest format takes.
  'many-holes': { size: 9 * MB, pieces: Array.from({ length: 60 }, (_, at) => at * 131_072) },
  'only-a-hole': { size: MB, pieces: [] },
  'z-after-it': { size: MB, pieces: [4096] },
}

for (const format of ['gnu', 'pax'])
  t.test(`sparse files of tar in the format ${format}`, async (t) => {
    await withFolder(async (folder) => {
      for (const [name, { size, pieces }] of Object.entries(files)) {
        await using file = await open(join(folder, name), 'w')
        for (const place of pieces) await file.write(`data${place}`.slice(0, 7), place)
        await file.truncate(size)
      }
      await link(join(folder, 'hole-at-end'), join(folder, 'twin'))
      const names = [...Object.keys(files), 'twin']
      const path = join(folder, 'sparse.tar')
      await program('tar', '-C', folder, '-S', `--format=${format}`, '-cf', path, ...names)
      t.ok((await readFile(path)).length < 2 * MB, 'the source has holes')

      for (const to of format === 'gnu' ? ['zip'] : ['zip', 'tar.gz']) {
        const made = join(folder, `made.${to}`)
        const tree = join(folder, `tree-${to}`)
        await writeFile(made, await convert(path, `tar>${to}`))
        await mkdir(tree)
        await unpack(made, to, tree)
        for (const name of names) {
          const [is, should] = await Promise.all([readFile(join(tree, name)), readFile(join(folder, name))])
          t.ok(is.equals(should), `${name} in ${to}`)
        }
      }
    })
  })

t.test('maps of holes that lie', async (t) => {
  const records = ['GNU.sparse.major=1', 'GNU.sparse.minor=0', 'GNU.sparse.name=x', 'GNU.sparse.realsize=4096']
  const extended = records.map((record) => `${record.length + 4} ${record}\n`).join('')
  for (const map of ['1\n5000\n10\n', '1\n0\n1.5\n', 'x\n', '-1\n', '9999999\n', '1\n0\n']) {
    const content = Buffer.alloc(1024)
    content.write(map)
    const source = rawTar([
      { name: 'PaxHeader', type: 'x', content: extended },
      { name: 'x', content },
    ])
    t.match(await failure(source, 'tar>zip'), { code: 'CONVERSION_ERROR' }, JSON.stringify(map))
  }
})
