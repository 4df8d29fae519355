import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { chunk, signature, words } from '../../../engines/programs/sharp/png.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { pdf } from './pdf.ts'
import { animatedGif, human, pattern } from './pictures.ts'

const { convert, failure, file, folder } = await bare(t, ['image'])

const sources: Record<string, Buffer> = {
  jpg: await pattern(200, 200).jpeg().toBuffer(),
  png: await pattern(200, 200).png().toBuffer(),
  webp: await pattern(200, 200).webp().toBuffer(),
  avif: await pattern(200, 200).avif({ effort: 0 }).toBuffer(),
  tif: await pattern(200, 200).tiff({ compression: 'lzw' }).toBuffer(),
  gif: await animatedGif(['#f00', '#0f0', '#00f'], [100, 100, 100], 0, 200),
}
sources.apng = (await convert(sources.gif!, 'gif>apng')).bytes

t.test('truncated files are refused', async (t) => {
  for (const [from, whole] of Object.entries(sources))
    for (const part of [0.02, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part))
      const told = await failure(cut, `${from}>${from === 'png' ? 'tif' : 'png'}`)
      t.match(told, { code: 'CONVERSION_ERROR', message: human }, `${part * 100} % of a ${from}`)
    }
})

t.test('what is no picture is refused, and the next picture is converted', async (t) => {
  for (const from of ['jpg', 'apng'])
    t.equal(
      (await failure(Buffer.from('This is no picture. '.repeat(100)), `${from}>bmp`)).code,
      'CONVERSION_ERROR',
      from,
    )
  t.match((await failure(sources.png!, 'png>jpg')).code, /^made/)
})

/** A PNG with these dimensions in its header and hardly any data. */
const bomb = (width: number, height: number) =>
  Buffer.concat([
    signature,
    chunk('IHDR', words(width, height), Buffer.from([1, 0, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND'),
  ])

t.test('pixel bombs are stopped at the header', async (t) => {
  for (const to of ['jpg', 'bmp'])
    t.match(await failure(bomb(60_000, 60_000), `png>${to}`), { code: 'RESOURCE_LIMIT', message: /268 megapixels/ })
  t.equal((await failure(bomb(300_000, 900), 'png>tif')).code, 'RESOURCE_LIMIT')
})

t.test('all frames of an animation count towards the limit', async (t) => {
  const png = Buffer.from(await pattern(8, 8).png().toBuffer())
  const frame = chunk('fcTL', words(0, 8, 8, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0]))
  const control = chunk('acTL', words(5000, 0))
  const huge = Buffer.concat([
    signature,
    chunk('IHDR', words(16_000, 16_000), Buffer.from([8, 2, 0, 0, 0])),
    control,
    ...Array.from({ length: 5000 }, () => frame),
    png.subarray(33),
  ])
  t.equal((await failure(huge, 'apng>gif')).code, 'RESOURCE_LIMIT')
})

const svg = (attributes: string, body = '<rect width="100%" height="100%" fill="#f00"/>') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`
const drawing = (...parts: Parameters<typeof svg>) => Buffer.from(svg(...parts))

t.test('drawings and pages are measured before they are rendered', async (t) => {
  const cases: [source: Buffer, pair: string, options?: object][] = [
    [drawing('width="1000000" height="1000000"'), 'svg>png'],
    [drawing('width="20000" height="10"'), 'svg>png'],
    [drawing('width="1" height="100"'), 'svg>png', { maxWidth: 200 }],
    [pdf([{ paper: [14_000, 100] }]), 'pdf>png'],
  ]
  for (const [source, pair, options] of cases) {
    const { code, message } = await failure(source, pair, options)
    t.equal(code, 'RESOURCE_LIMIT', pair)
    t.match(message, /16,384 .*268 megapixels/)
  }
  const many = await failure(pdf(Array(1001).fill({ paper: [9, 9] })), 'pdf>png')
  t.match(many, { code: 'RESOURCE_LIMIT', message: /1001 pages/ })
})

t.test('locked and damaged pages are refused, and PostScript reads no other file', async (t) => {
  const plain = await file('plain.pdf', pdf([{ paper: [100, 100] }]))
  const locks = ['-sDEVICE=pdfwrite', '-sUserPassword=a', '-sOwnerPassword=b']
  await program('gs', '-q', ...locks, '-o', `${folder}/locked.pdf`, plain)
  t.equal((await failure(`${folder}/locked.pdf`, 'pdf>png')).code, 'ENCRYPTED_INPUT')
  t.equal((await failure(Buffer.from('not a pdf'), 'pdf>png')).code, 'CONVERSION_ERROR')
  const stealing = '%!PS\n(/etc/passwd) (r) file 999 string readstring pop show showpage'
  t.equal((await failure(Buffer.from(stealing), 'ps>png')).code, 'CONVERSION_ERROR')
})

t.test('drawings load no other files', async (t) => {
  const places = ['file:///etc/passwd', '/etc/passwd', 'file.svg', 'http://127.0.0.1:9/x.png', 'file:///in/file.svg']
  const images = places.map(
    (href, at) =>
      `<image x="${at * 20}" width="20" height="50" href="${href}"/><image x="${at * 20}" width="20" height="50" xlink:href="${href}"/>`,
  )
  const { bytes } = await convert(drawing('width="96" height="96"', images.join('')), 'svg>png')
  t.equal((await sharp(bytes).stats()).channels[3]?.max, 0, 'nothing is drawn')
  const entity = svg('width="96" height="96"', '<text y="50" font-size="40">&x;</text>')
  const doctype = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  const made = await convert(Buffer.from(doctype + entity), 'svg>png').catch(() => undefined)
  t.equal(made && (await sharp(made.bytes).stats()).channels[3]?.max, made && 0)
})

t.test('other attacks in drawings', async (t) => {
  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const entities = `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>${svg('width="9" height="9"', '<text>&l12;</text>')}`
  t.equal((await failure(Buffer.from(entities), 'svg>png')).code, 'CONVERSION_ERROR')
  t.equal((await failure(gzipSync(Buffer.alloc(100_000_000)), 'svgz>png')).code, 'RESOURCE_LIMIT')
})
