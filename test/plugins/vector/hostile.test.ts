import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { pdf, postscript, svg } from '../../fixtures/drawing.ts'
import { dxf } from '../../fixtures/dxf.ts'
import { emf } from '../../fixtures/emf.ts'
import { fig } from '../../fixtures/fig.ts'
import { canvas } from '../../fixtures/image.ts'
import { human, workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, failure, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

const folder = mkdtempSync('/tmp/athanor-hostile-')
t.teardown(() => rmSync(folder, { recursive: true }))

t.test('a file with a password is refused', async (t) => {
  writeFileSync(`${folder}/plain.pdf`, pdf(1))
  const lock = ['-sOwnerPassword=one', '-sUserPassword=two', '-dEncryptionR=3', '-dKeyLength=128']
  const device = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-o', `${folder}/locked.pdf`]
  execFileSync('gs', [...lock, ...device, `${folder}/plain.pdf`])
  for (const to of ['svg', 'eps', 'emf', 'dxf'])
    t.equal((await failure(readFileSync(`${folder}/locked.pdf`), 'pdf', to)).code, 'ENCRYPTED_INPUT', to)
})

t.test('damaged drawings are refused or converted', async (t) => {
  const sources = {
    svg: svg(),
    pdf: pdf(1),
    eps: postscript(1, true),
    emf: emf(),
    fig: fig(),
    dxf: dxf(),
    png: await canvas().png().toBuffer(),
  }
  for (const [from, whole] of Object.entries(sources)) {
    const { code, message } = await failure('No drawing at all. '.repeat(50), from, from === 'svg' ? 'eps' : 'svg')
    t.equal(code, 'CONVERSION_ERROR', from)
    t.match(message, human, from)
    const cut = Buffer.from(whole).subarray(0, Math.floor(Buffer.byteLength(whole) * 0.6))
    const half = await failure(cut, from, from === 'svg' ? 'eps' : 'svg')
    t.match(half.code, /^(CONVERSION_ERROR|made \d+ bytes)$/, `${from} cut off`)
  }
  for (const from of ['svg', 'png'] as const)
    t.equal(
      (await failure(Buffer.from(sources[from]).subarray(0, 900), from, 'svgz')).code.slice(0, 4),
      from === 'png' ? 'CONV' : 'made',
    )
  t.equal((await failure(svg().slice(0, 900), 'svg', 'emf')).code, 'CONVERSION_ERROR', 'not well-formed')
  t.equal((await failure(svg().slice(0, 900), 'svg', 'svg')).code, 'CONVERSION_ERROR', 'nor made smaller')
})

t.test('bombs are stopped', async (t) => {
  t.equal((await failure(gzipSync(Buffer.alloc(200_000_000, ' ')), 'svgz', 'svg')).code, 'RESOURCE_LIMIT')
  const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const entities = `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l12;</text></svg>`
  for (const to of ['eps', 'emf', 'dxf']) t.equal((await failure(entities, 'svg', to)).code, 'CONVERSION_ERROR', to)
  t.match((await failure(entities, 'svg', 'svg')).code, /^(CONVERSION_ERROR|RESOURCE_LIMIT|made \d{3} bytes)$/)
})

/** A real picture on this machine that every sandbox can see, if there is one. */
const picture = execFileSync('sh', [
  '-c',
  'find /usr/share/icons /usr/share/pixmaps -name "*.png" -type f 2>/dev/null | head -1',
])
  .toString()
  .trim()

t.test(
  'references to other files in drawings have no effect',
  { skip: !picture && 'no picture to name' },
  async (t) => {
    const names = [`file://${picture}`, picture, 'http://127.0.0.1:9/a.png', 'file:///in/file.svg']
    for (const name of names) {
      const body = `<image width="50" height="50" href="${name}"/><image width="50" height="50" xlink:href="${name}"/><rect x="60" width="9" height="9"/>`
      const drawing = svg().replace(/<rect[\s\S]*<\/svg>/, `${body}</svg>`)
      const metafile = (await convert(drawing, 'svg', 'emf')).bytes
      for (let at = 0; at < metafile.length; at += metafile.readUInt32LE(at + 4))
        t.notOk([76, 80, 81, 114].includes(metafile.readUInt32LE(at)), `${name}: no bitmap in the metafile`)
      const eps = (await convert(drawing, 'svg', 'eps')).bytes.toString('latin1')
      t.notMatch(eps.split('%%EndProlog')[1]!, /\bcairo_image\b|CairoData\b/, `${name}: no picture in the PostScript`)
    }
  },
)

t.test('PostScript cannot read files', async (t) => {
  const nosy = `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\n(/etc/passwd) (r) file 99 string readline pop\n/Courier findfont 9 scalefont setfont 9 9 moveto show showpage\n`
  for (const from of ['eps', 'ps']) t.equal((await failure(nosy, from, 'svg')).code, 'CONVERSION_ERROR', from)
})

t.test('empty drawings are refused', async (t) => {
  const empty = ['0', 'SECTION', '2', 'ENTITIES', '0', 'ENDSEC', '0', 'EOF', ''].join('\n')
  const { code, message } = await failure(empty, 'dxf', 'svg')
  t.equal(code, 'CONVERSION_ERROR')
  t.match(message, /drawing is empty/)
})

t.test('white lines for a black screen become black on paper, but not on areas', async (t) => {
  const line = [0, 'LINE', 8, '0', 62, 255, 10, 0, 20, 0, 11, 9, 21, 9]
  const area = [0, 'SOLID', 8, '0', 62, 5, 10, 0, 20, 0, 11, 9, 21, 0, 12, 0, 22, 9, 13, 9, 23, 9]
  const drawn = async (...entities: (string | number)[]) => {
    const groups = [0, 'SECTION', 2, 'ENTITIES', ...entities, 0, 'ENDSEC', 0, 'EOF', '']
    return (await convert(groups.join('\n'), 'dxf', 'svg')).bytes.toString('latin1')
  }
  t.match(await drawn(...line), /stroke="#000/)
  t.match(await drawn(...area, ...line), /stroke="#fff/)
})
