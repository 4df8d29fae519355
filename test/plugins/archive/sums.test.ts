/** Archives whose content does not fit their checksums, or is packed by a method that bsdtar passes over in silence. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { folderOf } from '../../harness/folder.ts'
import { larc } from './larc.ts'
import { human, packing } from './packing.ts'

const { convert, failure } = await packing(t)
const folder = await folderOf(t)
const text = Buffer.from(Array.from({ length: 4000 }, (_, index) => `Line ${index}\n`).join(''))
await writeFile(join(folder, 'text'), text)

t.test('a changed byte is found', async (t) => {
  for (const [name, ...call] of [
    ['stored.7z', '7zz', 'a', '-mx0'],
    ['plain.cab', 'gcab', '-c', '-n'],
  ] as const) {
    await program('env', '-C', folder, ...call, name, 'text')
    const bytes = await readFile(join(folder, name))
    const pair = `${name.split('.')[1]}>tar`
    t.ok((await convert(bytes, pair)).includes(text), name)
    bytes[bytes.length >> 1]! ^= 1
    t.match(await failure(bytes, pair), { code: 'CONVERSION_ERROR', message: human }, name)
  }
})

t.test('LHA by the method of LArc has its content, not zeros, also without a date', async (t) => {
  const words = Buffer.from('banana bandana, banana bandana')
  t.ok((await convert(larc('words.txt', words), 'lha>tar')).includes(words))
  t.ok((await convert(larc('words.txt', words, 0), 'lha>tar')).includes(words))
})
