import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { facts as told } from '../../fixtures/story.ts'
import { zip } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, code, file, folder } = documents

for (const format of ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'pdf'])
  t.test(`${format} becomes no larger and says the same`, async (t) => {
    const { path } = await sample(format, 'document')
    const { path: made, bytes } = await convert(path, format)
    t.ok(bytes.length <= (await readFile(path)).length)
    t.equal(await textOf(made, format), await textOf(path, format))
    const again = await convert(made, format)
    t.ok(again.bytes.length <= bytes.length, 'nor does it grow the second time')
    if (format === 'pdf') await t.resolves(program('qpdf', '--check', made))
    else await t.resolves(convert(made, 'pdf'), 'LibreOffice opens it')
    const bare = await convert(path, format, { metadata: 'remove' })
    if (format === 'xlsx') {
      const inside = (await program('unzip', '-p', bare.path)).toString()
      t.strictSame(
        Object.values(told).filter((secret) => inside.includes(secret)),
        [],
      )
      t.match((await program('unzip', '-p', path)).toString(), told.author, 'which was there')
    }
  })

t.test('pictures inside are compressed, and look the same', async (t) => {
  const noise = await sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .blur(2)
    .toBuffer({ resolveWithObject: true })
  const raw = sharp(noise.data, { raw: { width: 800, height: 600, channels: 3 } })
  const pictures = {
    'word/media/one.jpg': await raw.clone().jpeg({ quality: 100 }).toBuffer(),
    'word/media/two.png': await raw.clone().png({ compressionLevel: 0 }).toBuffer(),
  }
  const members = readMembers(await readFile((await sample('docx')).path)).map(({ name, content }) => [name, content])
  const fat = `${folder}/fat.docx`
  await zip(fat, { ...Object.fromEntries(members), ...pictures })
  const { bytes } = await convert(fat, 'docx')
  t.ok(bytes.length < (await readFile(fat)).length * 0.8)
  const made = new Map(readMembers(bytes).map(({ name, content }) => [name, content]))
  const pixels = (picture: Buffer) => sharp(picture).raw().toBuffer()
  const png = 'word/media/two.png'
  t.ok((await pixels(made.get(png)!)).equals(await pixels(pictures[png])), 'without loss')
  const [before, after] = await Promise.all(
    [pictures['word/media/one.jpg'], made.get('word/media/one.jpg')!].map(pixels),
  )
  let error = 0
  for (let index = 0; index < before!.length; index++) error += (before![index]! - after![index]!) ** 2
  t.ok(10 * Math.log10(255 ** 2 / (error / before!.length)) > 34, 'a loss that does not show')
})

t.test('a scan becomes much smaller, a form keeps its fields', async (t) => {
  const noise = await sharp({
    create: {
      width: 2000,
      height: 2800,
      channels: 3,
      background: '#fff',
      noise: { type: 'gaussian', mean: 200, sigma: 30 },
    },
  })
    .blur(1.5)
    .jpeg({ quality: 95 })
    .withMetadata({ density: 240 })
    .toBuffer()
  const scan = await convert(await file('scan.jpg', noise), 'pdf')
  const { bytes, path } = await convert(scan.path, 'pdf')
  t.ok(bytes.length < scan.bytes.length / 2, `${scan.bytes.length} to ${bytes.length} bytes`)
  t.equal((await program('qpdf', '--show-npages', path)).toString().trim(), '1')
  await t.resolves(program('qpdf', '--check', path))
})

t.test('encrypted and damaged files', async (t) => {
  const { path } = await sample('pdf', 'document')
  const locked = `${folder}/locked.pdf`
  await program('qpdf', '--encrypt', 'secret', 'secret', '256', '--', path, locked)
  for (const options of [{}, { metadata: 'remove' }] as const)
    t.equal(await code(locked, 'pdf', options), 'ENCRYPTED_INPUT')
  const docx = await readFile((await sample('docx')).path)
  t.equal(await code(await file('cut.docx', docx.subarray(0, docx.length / 2)), 'docx'), 'CONVERSION_ERROR')
  const bomb = `${folder}/bomb.docx`
  const zeros = Buffer.alloc(6e8)
  await zip(bomb, { 'word/document.xml': zeros, 'word/styles.xml': zeros })
  t.equal(await code(bomb, 'docx'), 'RESOURCE_LIMIT')
})
