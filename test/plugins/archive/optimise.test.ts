import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { full, grow, text } from '../../fixtures/archive/tree.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { withFolder } from '../../harness/folder.ts'
import { listing } from './listing.ts'
import { studio } from './studio.ts'

const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

const loose = (name: string, ...flags: string[]) =>
  withFolder(async (folder) => {
    const root = await grow(join(folder, 'tree'), full)
    await writeFile(join(root, 'more.txt'), Buffer.concat(Array(20).fill(text)))
    await program('env', '-C', root, '7zz', 'a', '-bd', '-bso0', '-snl', ...flags, join(folder, name), '.')
    return readFile(join(folder, name))
  })

const sources: Record<string, Buffer> = {
  zip: await loose('loose.zip', '-tzip', '-mx=0'),
  '7z': await loose('loose.7z', '-mx=0'),
  'tar.gz': await readFile((await sample('tar.gz')).path),
}

t.test('smaller, with the same content', async (t) => {
  for (const [format, bytes] of Object.entries(sources)) {
    const made = await convert(bytes, format, format)
    t.ok(made.length < bytes.length, `${format}: ${bytes.length} to ${made.length} bytes`)
    t.same(await listing(made, format), await listing(bytes, format), format)
    const again = await convert(made, format, format)
    t.ok(again.length <= made.length, `${format} again: ${again.length} bytes`)
  }
})

t.test('a compressed tar keeps every byte of the tar', async (t) => {
  const bytes = sources['tar.gz']!
  t.ok(gunzipSync(await convert(bytes, 'tar.gz', 'tar.gz')).equals(gunzipSync(bytes)))
})

t.test('never larger: otherwise the source is returned', async (t) => {
  for (const [format, bytes] of Object.entries(sources)) {
    const small = await convert(bytes, format, format)
    const made = await convert(small, format, format, { compression: 0 })
    t.ok(made.equals(small), format)
  }
})
