/** Encrypted archives are reported as such, whichever program detects it. `test/depth/refusals.ts` has real ones. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { folderOf } from '../../harness/folder.ts'
import { packing } from './packing.ts'

const { failure } = await packing(t)
const folder = await folderOf(t)
await writeFile(join(folder, 'secret.txt'), 'secret '.repeat(200))

t.test('archives that programs make', async (t) => {
  for (const [name, ...call] of [
    ['classic.zip', '7zz', 'a', '-tzip', '-psecret', '-mem=ZipCrypto'],
    ['aes.zip', '7zz', 'a', '-tzip', '-psecret', '-mem=AES256'],
    ['data.7z', '7zz', 'a', '-psecret'],
    ['names.7z', '7zz', 'a', '-psecret', '-mhe=on'],
    ['garbled.arj', 'arj', 'a', '-y', '-gsecret'],
  ] as const) {
    await program('env', '-C', folder, ...call, name, 'secret.txt')
    const bytes = await readFile(join(folder, name))
    const message = 'The archive is encrypted and asks for a password'
    for (const to of ['tar', 'tar.xz'])
      t.same(
        await failure(bytes, `${name.split('.')[1]}>${to}`),
        { code: 'ENCRYPTED_INPUT', message },
        `${name} to ${to}`,
      )
  }
})
