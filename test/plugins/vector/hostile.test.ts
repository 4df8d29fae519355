/** Locked, damaged and malicious drawings. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { eps, pdf, svg } from '../../fixtures/drawing.ts'
import { stored } from '../../fixtures/files.ts'
import { canvas } from '../../fixtures/image.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { human } from '../image/pictures.ts'

t.setTimeout(30 * 60_000)
const { convert, failure, file, folder } = await bare(t, ['vector'])

const failed = (source: string | Buffer, pair: string) => failure(Buffer.from(source), pair)

t.test('a file with a password is refused', async (t) => {
  const lock = ['-sOwnerPassword=one', '-sUserPassword=two', '-dEncryptionR=3', '-dKeyLength=128']
  const plain = await file('plain.pdf', pdf())
  await program('gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', ...lock, '-o', `${folder}/locked.pdf`, plain)
  t.equal((await failure(`${folder}/locked.pdf`, 'pdf>svg')).code, 'ENCRYPTED_INPUT')
})

t.test('damaged drawings are refused or converted', async (t) => {
  const sources = { svg: svg(), pdf: pdf(), eps: eps(), fig: stored('picture.fig') }
  for (const [from, whole] of Object.entries({ ...sources, png: await canvas().png().toBuffer() })) {
    const pair = `${from}>${from === 'svg' ? 'svgz' : 'svg'}`
    const told = await failed('No drawing at all. '.repeat(50), pair)
    t.match(told, { code: 'CONVERSION_ERROR', message: human }, from)
    const cut = Buffer.from(whole).subarray(0, Math.floor(Buffer.byteLength(whole) * 0.6))
    t.match((await failed(cut, pair)).code, /^(CONVERSION_ERROR|made \d+ bytes)$/, `${from} cut off`)
  }
  t.equal((await failed(svg().slice(0, 900), 'svg>svg')).code, 'CONVERSION_ERROR', 'not made smaller')
})

t.test('bombs are stopped', async (t) => {
  t.equal((await failed(gzipSync(Buffer.alloc(200_000_000, ' ')), 'svgz>svg')).code, 'RESOURCE_LIMIT')
  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const entities = `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l12;</text></svg>`
  t.equal((await failed(entities, 'svg>eps')).code, 'CONVERSION_ERROR')
  t.match((await failed(entities, 'svg>svg')).code, /^(CONVERSION_ERROR|RESOURCE_LIMIT|made \d{3} bytes)$/)
})

t.test('references to other files in drawings have no effect', async (t) => {
  const picture = await file('picture.png', await canvas().png().toBuffer())
  const names = [`file://${picture}`, picture, 'http://127.0.0.1:9/a.png']
  const images = names.map(
    (name) => `<image width="50" height="50" href="${name}"/><image width="50" height="50" xlink:href="${name}"/>`,
  )
  const drawing = svg().replace(/<rect[\s\S]*<\/svg>/, `${images.join('')}<rect x="60" width="9" height="9"/></svg>`)
  const metafile = (await convert(Buffer.from(drawing), 'svg>emf')).bytes
  for (let at = 0; at < metafile.length; at += metafile.readUInt32LE(at + 4))
    t.notOk([76, 80, 81, 114].includes(metafile.readUInt32LE(at)), 'no bitmap in the metafile')
  const eps = (await convert(Buffer.from(drawing), 'svg>eps')).bytes.toString('latin1')
  t.notMatch(eps.split('%%EndProlog')[1]!, /\bcairo_image\b|CairoData\b/, 'no picture in the PostScript')
})

t.test('PostScript cannot read files', async (t) => {
  const nosy = `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\n(/etc/passwd) (r) file 99 string readline pop\n/Courier findfont 9 scalefont setfont 9 9 moveto show showpage\n`
  for (const from of ['eps', 'ps']) t.equal((await failed(nosy, `${from}>svg`)).code, 'CONVERSION_ERROR', from)
})
