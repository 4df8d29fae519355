/** Archives that are truncated, empty or of another kind than their name says. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { archive } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { packing } from './packing.ts'
import { rawTar } from './tar.ts'

const { convert, failure } = await packing(t)

/** Matches a message without file names and program output. */
const human = /^(?!.*[/\\])(?!.*(bsdtar|7zz|undefined|Error:))[A-Z].{10,}$/

t.test('other bytes behind a compressed file do no harm, as with gzip', async (t) => {
  const text = Buffer.from('text '.repeat(9000))
  for (const [format, call] of Object.entries({ gz: ['gzip', '-c'], lzma: ['xz', '--format=lzma', '-c'] })) {
    const packed = await withFolder(async (folder) => {
      await writeFile(join(folder, 'text'), text)
      return program(call[0]!, ...call.slice(1), join(folder, 'text'))
    })
    const bytes = Buffer.concat([packed, Buffer.from('This does not belong to it.')])
    t.ok((await convert(bytes, `${format}>tar`)).includes(text), format)
    t.equal(
      (await failure(packed.subarray(0, packed.length - 8), `${format}>tar`)).code,
      'CONVERSION_ERROR',
      `half ${format}`,
    )
  }
})

t.test('random bytes under the name of an archive are refused', async (t) => {
  for (const format of Object.keys(archive))
    t.match(
      await failure(Buffer.from('nonsense '.repeat(1000)), `${format}>${format === 'tar' ? 'zip' : 'tar'}`),
      { code: 'CONVERSION_ERROR', message: human },
      format,
    )
})

t.test('an empty archive', async (t) => {
  t.match(await failure(rawTar([]), 'tar>zip'), { code: 'CONVERSION_ERROR', message: 'The archive holds no files' })
  const empty = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)])
  t.match(await failure(empty, 'zip>7z'), { code: 'CONVERSION_ERROR', message: 'The archive holds no files' })
  t.ok((await convert(empty, 'zip>zip')).equals(empty), 'is as small as it can be')
})
