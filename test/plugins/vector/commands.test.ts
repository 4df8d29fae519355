/** What runs for each kind of pair, best route first, with answers instead of programs. */
import t from 'tap'
import vector from '../../../plugins/vector/index.ts'
import { routeLines } from '../../harness/command-lines.ts'
import { agreeOnRoutes } from '../routes.ts'

const browsed = 'svg-page file large | chromium | pdftocairo -svg -f 1 -l 1 | svg-sized /scratch/drawing.html'
const along =
  'svg-plain mended | svgo alone | inkscape --export-type=svg --export-plain-svg --export-text-to-path | svg-along /scratch/named.svg'
const crop = 'ghostscript -sDEVICE=pdfwrite -dEPSCrop -dFirstPage=1 -dLastPage=1'
const distil = 'ghostscript -sDEVICE=pdfwrite -dFirstPage=1 -dLastPage=1001'
const page = 'pdftocairo -svg -f 1 -l 1 -r 99'
const metafile =
  'svg-split behind emf | librsvg -f png -b white -z 1.03125 | svg-split front emf /scratch/behind-001.png 99 | ' +
  'inkscape --export-type=emf --export-dpi=99'
const stl = 'assimp -fstlb -tri'
const service = 'com.sun.star.drawing.DrawingDocument'
const office = (FilterName: string, to: string) =>
  `libreoffice ${JSON.stringify({ load: { FilterName }, store: { FilterName: to, NoThumbnail: true }, service })}`

const expected = `
pdf>svg: pdfinfo | ${page} | svg-plain
ai>svg: pdfinfo | ${page} | svg-plain
ai>svg: ${crop} | ${page} | svg-plain
eps>svg: ${crop} | ${page} | svg-plain
ps>svg: ${distil} | pdfinfo | ${page} | svg-plain
svg>svg: svgo optimise
fig>svg: fig2dev -L svg | svg-plain
dxf>svg: ezdxf | svg-plain
dwg>svg: libredwg | ezdxf | svg-plain
odg>svg: ${office('draw8', 'draw_pdf_Export')} | pdfinfo | ${page} | svg-plain
vsd>svg: ${office('Visio Document', 'draw_pdf_Export')} | pdfinfo | ${page} | svg-plain
stl>svg: ${stl} | mesh-drawer z | svg-plain
obj>svg: ${stl} | mesh-drawer y | svg-plain
3mf>svg: mesh-mender | ${stl} | mesh-drawer z | svg-plain
3mf>svg: mesh-mender | 3mf-reader | mesh-drawer z | svg-plain
step>svg: freecad | mesh-drawer z | svg-plain
blend>svg: blend-opener | ${stl} | mesh-drawer z | svg-plain
scad>svg: openscad --export-format binstl | mesh-drawer z | svg-plain
png>svg: tracer 99 | svg-plain
pdf>svgz: pdfinfo | ${page} | svg-pack
pdf>eps: pdfinfo | pdftops -eps -f 1 -l 1 -r 99
pdf>eps: pdfinfo | ${page} | librsvg -f eps -d 96 -p 96
ai>eps: pdfinfo | pdftops -eps -f 1 -l 1 -r 99
ai>eps: ${crop} | pdfinfo | pdftops -eps -f 1 -l 1 -r 99
ai>eps: pdfinfo | ${page} | librsvg -f eps -d 96 -p 96
ai>eps: ${crop} | ${page} | librsvg -f eps -d 96 -p 96
ps>eps: ${distil} | pdfinfo | pdftops -eps -f 1 -l 1 -r 99
ps>eps: ${distil} | pdfinfo | ${page} | librsvg -f eps -d 96 -p 96
svg>emf: svg-plain mended | svgo alone | ${metafile}
svg>emf: ${browsed} | svgo alone | ${metafile}
svg>emf: ${along} | svgo alone | ${metafile}
svg>emf: svg-plain mended | svgo alone | ${metafile}
svgz>svg: svg-plain mended
svgz>svg: svg-plain mended | svg-plain
svgz>svg: ${browsed} | svg-plain
svgz>svg: ${along} | svg-plain
svgz>svg: svg-plain mended | svg-plain
pdf>odg: ${office('draw_pdf_import', 'draw8')}
vsd>odg: ${office('Visio Document', 'draw8')}
fig>odg: fig2dev -L svg | librsvg -f pdf -d 96 -p 96 | ${office('draw_pdf_import', 'draw8')}
png>odg: tracer 99 | librsvg -f pdf -d 96 -p 96 | ${office('draw_pdf_import', 'draw8')}
dxf>odg: via svg
`
t.test('each kind of pair', (t) =>
  agreeOnRoutes(t, vector, expected, { density: 99 }, { pdfinfo: 'Pages: 1', 'svg-split': 'rich' }),
)

const refused = Object.assign(new Error('refused'), { code: 'CONVERSION_ERROR' })
const linesOf = (pair: string, answers: object) => routeLines(vector, pair, { density: 99 }, answers as never)

t.test('what findings change', async (t) => {
  const first = async (pair: string, answers: object) => (await linesOf(pair, answers))[0]!
  const wmf = 'svg-plain mended | svgo alone | svg-split behind wmf | inkscape --export-type=wmf --export-dpi=99'
  t.equal(await first('svg>wmf', {}), wmf)
  const files = ['/scratch/page-001.eps', '/scratch/page-002.eps']
  const zip = JSON.stringify({ task: 'zip', files, name: 'file', output: '/out/pages.zip' })
  const pages = 'pdftops -eps -f 1 -l 1 -r 99 | pdftops -eps -f 2 -l 2 -r 99'
  const two = (await linesOf('pdf>eps', { pdfinfo: 'Pages: 2' })).at(0)
  t.equal(two, `pdfinfo | ${pages} | sharp ${zip}`)
  t.equal(
    await first('scad>svg', { openscad: [refused, ''] }),
    'openscad --export-format binstl | openscad | svg-plain',
  )
  const printed = 'svg-plain mended | librsvg -f eps -d 96 -p 96 | librsvg -f pdf -d 96 -p 96 | pdftops -eps'
  t.equal(await first('svg>eps', { librsvg: [refused, ''] }), printed)
  const emf = { FilterName: 'EMF - MS Windows Metafile' }
  const task = { load: emf, store: { FilterName: 'draw_pdf_Export' }, service, fit: true }
  t.equal(await first('emf>svg', {}), `libreoffice ${JSON.stringify(task)} | ${page} | svg-plain`)
})

t.test('what steps refuse', async (t) => {
  for (const [pair, answers, message] of [
    ['svg>eps', { 'svg-plain': 'text path' }, /text along a path/],
    ['pdf>svg', { pdfinfo: 'Pages: 1001' }, /1001 pages; 1000/],
    ['3mf>svg', { 'mesh-mender': 'parts' }, /several parts/],
    ['scad>svg', { openscad: "Can't open file" }, /other files/],
  ] as const)
    await t.rejects(linesOf(pair, answers), { message }, pair)
})

t.test('the heavy lane', async (t) => {
  const heavy = (from: string, size: number) => vector.heavy({ from, to: 'svg', intent: 'convert', size, options: {} })
  t.strictSame([heavy('svg', 20_000_000), heavy('svg', 20_000_001)], [false, true])
  t.strictSame([heavy('dxf', 1_000_000), heavy('dwg', 1_000_001)], [false, true])
})
