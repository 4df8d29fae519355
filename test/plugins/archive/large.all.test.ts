/** Archives in the sandbox: halves of every format, and more than a conversion may unpack. */
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { archive } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { studio } from '../../harness/studio.ts'
import { rawTar } from './tar.ts'

t.setTimeout(60 * 60_000)
const { failure, folder, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Matches a message without file names and program output. */
const human = /^(?!.*[/\\])(?!.*(bsdtar|7zz|undefined|Error:))[A-Z].{10,}$/

t.test('half of an archive is refused', async (t) => {
  // The format of compress(1) has no checksum and no end: half of a file is a file.
  for (const format of Object.keys(archive).filter((format) => format !== 'z')) {
    const bytes = await readFile((await sample(format)).path)
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    const { code, message } = await failure(half, `${format}>${format === 'tar' ? 'zip' : 'tar'}`)
    t.equal(code, 'CONVERSION_ERROR', `${format}: ${message}`)
    t.match(message, human, format)
  }
})

t.test('bombs are stopped', async (t) => {
  const many = rawTar(Array.from({ length: 100_001 }, (_, index) => ({ name: `${index}` })))
  const { code, message } = await failure(zstdCompressSync(many), 'tar.zst>zip')
  t.equal(code, 'RESOURCE_LIMIT', 'by number')
  t.match(message, /100000 entries/)
  const place = (name: string) => join(folder, name)
  await program('truncate', '-s', '1200M', place('zeros'))
  await program('zstd', '-q', place('zeros'), '-o', place('one.zst'))
  await program('tar', '-I', 'zstd', '-cf', place('a.tar.zst'), '-C', folder, 'zeros')
  for (const [name, pair] of [
    ['one.zst', 'zst>zip'],
    ['a.tar.zst', 'tar.zst>zip'],
  ] as const) {
    await chmod(place(name), 0o644)
    t.equal((await failure(place(name), pair)).code, 'RESOURCE_LIMIT', name)
  }
})

const MANY = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as zip:
  for n in range(66000): zip.writestr(f'{n}', f'content {n}')`

t.test('a wrong checksum in a zip with more entries than a zip could have once', async (t) => {
  await program('python3', '-c', MANY, join(folder, 'many.zip'))
  const zip = await readFile(join(folder, 'many.zip'))
  zip.write('CONTENT', zip.indexOf('content 65999'))
  // As a comic, because 7-Zip would try zips again, as files on disk.
  t.match(await failure(zip, 'cbz>tar'), { code: 'CONVERSION_ERROR', message: /^The archive is damaged/ })
})
