/** Halves of archives of every format, and more than a conversion may unpack. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { archive } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { folderOf } from '../../harness/folder.ts'
import { human, packing } from './packing.ts'
import { rawTar } from './tar.ts'

t.setTimeout(60 * 60_000)
const { failure } = await packing(t)
const folder = await folderOf(t)

t.test('half of an archive is refused', async (t) => {
  // The format of compress(1) has no checksum and no end: half of a file is a file.
  for (const format of Object.keys(archive).filter((format) => format !== 'z')) {
    const bytes = await readFile((await sample(format)).path)
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    const told = await failure(half, `${format}>${format === 'tar' ? 'zip' : 'tar'}`)
    t.match(told, { code: 'CONVERSION_ERROR', message: human }, format)
  }
})

t.test('bombs are stopped', async (t) => {
  const many = rawTar(Array.from({ length: 100_001 }, (_, index) => ({ name: `${index}` })))
  const message = /100000 entries/
  t.match(await failure(zstdCompressSync(many), 'tar.zst>zip'), { code: 'RESOURCE_LIMIT', message })
  const zeros = join(folder, 'zeros')
  await program('truncate', '-s', '1200M', zeros)
  await program('zstd', '-q', zeros, '-o', `${zeros}.zst`)
  t.equal((await failure(`${zeros}.zst`, 'zst>zip')).code, 'RESOURCE_LIMIT')
})

const MANY = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as zip:
  for n in range(66000): zip.writestr(f'{n}', f'content {n}')`

t.test('a wrong checksum in a zip with more entries than a zip could have once', async (t) => {
  await program('python3', '-c', MANY, join(folder, 'many.zip'))
  const zip = await readFile(join(folder, 'many.zip'))
  zip.write('CONTENT', zip.indexOf('content 65999'))
  t.match(await failure(zip, 'zip>tar'), { code: 'CONVERSION_ERROR', message: /^The archive is damaged/ })
})
