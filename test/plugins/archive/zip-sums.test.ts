/** The content of a zip is compared with the checksums of its directory, by whichever program it is read. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { packing } from './packing.ts'
import { type RawEntry, rawZip } from './raw-zip.ts'

const { convert, failure } = await packing(t)

const file: RawEntry = { name: 'one/two.txt', content: 'two '.repeat(500) }
const long: RawEntry = { name: 'long.bin', content: Buffer.from(Array.from({ length: 1e6 }, (_, n) => n * n)) }

t.test('a zip whose content is not what its directory says is refused, whatever is made of it', async (t) => {
  const link: RawEntry = { name: 'link', content: 'one', attributes: 0o120777 * 2 ** 16 }
  const zips: Record<string, Buffer> = {
    'a wrong checksum': rawZip([{ ...file, crc: 1 }]),
    'a wrong checksum of a large file': rawZip([file, { ...long, crc: 1 }]),
    'a wrong checksum of a stored file': rawZip([file, { ...long, stored: true, crc: 1 }]),
    'a wrong checksum beside a link': rawZip([{ ...file, crc: 1 }, link]),
    'a wrong checksum of a name in another script': rawZip([{ ...file, name: 'имя.txt', flags: 0x800, crc: 1 }]),
    'a wrong checksum, and a comment': rawZip([{ ...file, crc: 1 }], { comment: 'made by hand' }),
    'fewer bytes than claimed': rawZip([{ ...file, size: 3000 }]),
    'more bytes than claimed': rawZip([{ ...file, size: 3 }]),
  }
  const damaged = { code: 'CONVERSION_ERROR', message: /^The archive is damaged/ }
  for (const [name, zip] of Object.entries(zips)) t.match(await failure(zip, 'zip>tar.gz'), damaged, name)
  t.match(await failure(zips['a wrong checksum']!, 'zip>zip'), damaged, 'made smaller')
})

t.test('a zip behind other bytes is read and compared with its directory, whatever its offsets count', async (t) => {
  const before = '#!/bin/sh\nexec unzip "$0"\n'
  const right = Buffer.concat([Buffer.from(before), rawZip([file, long])])
  const counted = rawZip([file, long], { before })
  for (const [name, zip] of Object.entries({ right, counted }))
    t.ok((await convert(zip, 'zip>tar.gz')).length > 0, name)
  const wrong = Buffer.concat([Buffer.from(before), rawZip([{ ...file, crc: 1 }])])
  const damaged = { code: 'CONVERSION_ERROR', message: /^The archive is damaged/ }
  for (const zip of [wrong, rawZip([{ ...file, crc: 1 }], { before })])
    t.match(await failure(zip, 'zip>tar.gz'), damaged)
})

t.test('real zips of other kinds are not', async (t) => {
  // Links and names in other scripts; sizes behind the data; other methods; holes.
  const zips = await withFolder(async (folder) => {
    const tree = join(folder, 'tree')
    await mkdir(tree)
    for (const name of ['one', 'другой']) await writeFile(join(tree, name), `${name} `.repeat(3000))
    await program('ln', '-s', 'one', join(tree, 'link'))
    await program('truncate', '-s', '1M', join(tree, 'holes'))
    const within = (...call: string[]) => program('env', '-C', tree, ...call)
    await within('zip', '-qry', '../links.zip', '.')
    await within('zip', '-qr', '-fz', '../zip64.zip', '.')
    await within('sh', '-c', 'bsdtar --format zip -cf - . | cat > ../streamed.zip')
    for (const method of ['bzip2', 'lzma', 'deflate64', 'ppmd'])
      await within('7zz', 'a', '-bd', '-bso0', '-tzip', `-mm=${method}`, `../${method}.zip`, '.')
    await within('sh', '-c', 'cp ../links.zip ../less.zip && zip -qd ../less.zip one')
    await within('sh', '-c', 'cp ../links.zip ../commented.zip && seq 8000 | zip -qz ../commented.zip')
    const names = ['links', 'zip64', 'streamed', 'bzip2', 'lzma', 'deflate64', 'ppmd', 'less', 'commented']
    return Promise.all(names.map(async (name) => [name, await readFile(join(folder, `${name}.zip`))] as const))
  })
  for (const [name, zip] of zips) t.ok((await convert(zip, 'zip>tar.gz')).length > 0, name)
})
