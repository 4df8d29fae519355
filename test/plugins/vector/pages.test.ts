/** Sources of more than one page: a zip with a file for each page, as for pictures. */
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(30 * 60_000)
const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const made = (source: string | Buffer, pair: string) => convert(Buffer.from(source), pair, {}, { name: 'drawing' })

/** Two pages: a red square, and a blue one. */
const postscript = `%!PS-Adobe-3.0
%%Pages: 2
<< /PageSize [200 150] >> setpagedevice
1 0 0 setrgbcolor 40 40 60 60 rectfill showpage
0 0 1 setrgbcolor 90 40 60 60 rectfill showpage
`

/** The members of a zip by name. */
async function membersOf(path: string): Promise<Record<string, string>> {
  const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
  const members = names.map(async (name) => [name, (await program('unzip', '-p', path, name)).toString()] as const)
  return Object.fromEntries(await Promise.all(members))
}

t.test('several pages become a zip with a drawing for each', async (t) => {
  const svg = await made(postscript, 'ps>svg')
  t.equal(svg.paged, true)
  const drawings = await membersOf(svg.path)
  t.same(Object.keys(drawings), ['drawing-001.svg', 'drawing-002.svg'])
  t.match(Object.values(drawings), [/rgb\(100%, ?0%, ?0%\)/, /rgb\(0%, ?0%, ?100%\)/], 'in their order')
  t.same(Object.keys(await membersOf((await made(postscript, 'ps>dxf')).path)), ['drawing-001.dxf', 'drawing-002.dxf'])
  const { bytes: tif } = await made(postscript, 'ps>tif')
  t.same(Object.keys(await membersOf((await made(tif, 'tif>svg')).path)), ['drawing-001.svg', 'drawing-002.svg'])
})

t.test('PostScript that draws and shows no page becomes its drawing', async (t) => {
  const unfinished = postscript.slice(0, postscript.lastIndexOf('showpage', postscript.indexOf('0 0 1')))
  for (const from of ['ps', 'ai']) t.match(`${(await made(unfinished, `${from}>svg`)).bytes}`, /rgb\(100%, ?0%, ?0%\)/)
})

t.test('PostScript that shows no page is refused', async (t) => {
  const unfinished = Buffer.from('%!PS-Adobe-3.0\n%%Creator: somebody\n%%BoundingBox: 0 0 200 150\n')
  t.match(await failure(unfinished, 'ps>svg'), { code: 'CONVERSION_ERROR', message: /no page/ })
  t.equal((await failure(unfinished, 'ai>svg')).code, 'CONVERSION_ERROR')
})

t.test('PostScript that sets no page has the size that its comments tell, else A4', async (t) => {
  const sizes: readonly [comments: string, size: string][] = [
    ['', '595 842'],
    ['%%BoundingBox: (atend)\n%%DocumentMedia: Letter 612 792 0 () ()\n', '612 792'],
    ['%%DocumentPaperSizes: (Legal)\r\n', '612 1008'],
    ['%%DocumentPaperSizes: foolscap\n%%BoundingBox: 10 20 1990 1480\n', '2000 1500'],
    ['%%BoundingBox: 50 50 554 770\n', '595 842'],
    ['%%DocumentMedia: plain 0 1e9\n', '595 842'],
    ['%%EndComments\n%%DocumentMedia: plain 100 100\n', '595 842'],
    ['/prolog {} def\n%%BoundingBox: 0 0 2000 1500\n', '595 842'],
    ['%%BoundingBox: 0 0 2000 1500\n%%BeginDocument: a.eps\n%%BoundingBox: 0 0 3000 90\n', '2000 1500'],
    [`%%DocumentMedia: Letter 612 792 0 () ()\n%${'x'.repeat(70_000)}\n`, '612 792'],
    // The program has precedence.
    ['%%DocumentMedia: Letter 612 792 0 () ()\n<< /PageSize [200 150] >> setpagedevice\n', '200 150'],
  ]
  for (const [comments, size] of sizes) {
    const drawing = (await made(`%!PS-Adobe-3.0\n${comments}40 40 60 60 rectfill showpage\n`, 'ps>svg')).bytes
    t.match(drawing.toString(), `viewBox="0 0 ${size}"`, comments.slice(0, 99))
  }
})
