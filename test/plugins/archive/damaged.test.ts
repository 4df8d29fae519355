/** Archives that are encrypted, truncated, empty or of another kind than their name says. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { archive } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import { folderOf } from '../../harness/folder.ts'
import { human, packing } from './packing.ts'
import { rawTar } from './tar.ts'

const { convert, failure } = await packing(t)
const folder = await folderOf(t)
const text = Buffer.from('text '.repeat(9000))
await writeFile(join(folder, 'text'), text)

t.test('archives with a password, whichever program detects it', async (t) => {
  for (const [name, ...call] of [
    ['classic.zip', '7zz', 'a', '-tzip', '-psecret', '-mem=ZipCrypto'],
    ['aes.zip', '7zz', 'a', '-tzip', '-psecret', '-mem=AES256'],
    ['data.7z', '7zz', 'a', '-psecret'],
    ['names.7z', '7zz', 'a', '-psecret', '-mhe=on'],
    ['garbled.arj', 'arj', 'a', '-y', '-gsecret'],
  ] as const) {
    await program('env', '-C', folder, ...call, name, 'text')
    const message = 'The archive is encrypted and asks for a password'
    const source = await readFile(join(folder, name))
    t.same(await failure(source, `${name.split('.')[1]}>tar`), { code: 'ENCRYPTED_INPUT', message }, name)
  }
})

t.test('other bytes behind a compressed file do no harm, as with gzip', async (t) => {
  for (const [format, call] of Object.entries({ gz: ['gzip', '-c'], lzma: ['xz', '--format=lzma', '-c'] })) {
    const packed = await program(call[0]!, ...call.slice(1), join(folder, 'text'))
    const bytes = Buffer.concat([packed, Buffer.from('This does not belong to it.')])
    t.ok((await convert(bytes, `${format}>tar`)).includes(text), format)
    t.equal((await failure(packed.subarray(0, packed.length - 8), `${format}>tar`)).code, 'CONVERSION_ERROR', 'cut off')
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
