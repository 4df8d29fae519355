/** Sources of several pages to targets of one page: a zip with a file for each page, as for pictures. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Two pages: a red square, and a blue one. */
const postscript = `%!PS-Adobe-3.0
%%Pages: 2
<< /PageSize [200 150] >> setpagedevice
1 0 0 setrgbcolor 40 40 60 60 rectfill showpage
0 0 1 setrgbcolor 90 40 60 60 rectfill showpage
`

/** The members of a zip by name. */
async function membersOf(zip: Buffer): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-pages-'))
  const path = join(folder, 'pages.zip')
  await writeFile(path, zip)
  const run = (...args: string[]) => execFileSync('unzip', [args[0]!, path, ...args.slice(1)])
  const members = run('-Z1').toString().trim().split('\n')
  const read = members.map((name) => [name, run('-p', name)] as const)
  await rm(folder, { recursive: true })
  return Object.fromEntries(read)
}

t.test('a picture of several pages becomes a drawing for each page', async (t) => {
  const { bytes: tif } = await convert(postscript, 'ps', 'tif')
  const svg = await convert(tif, 'tif', 'svg')
  t.equal(svg.paged, true)
  const drawings = await membersOf(svg.bytes)
  t.same(Object.keys(drawings), ['drawing-001.svg', 'drawing-002.svg'])
  const fills = Object.values(drawings).map(
    (drawing) => /#(f[0-9a-f]{2}|[0-9a-f]{4}f)[0-9a-f]*/i.exec(`${drawing}`)?.[0],
  )
  t.match(fills, [/^#f[de]?/i, /f[de]?$/i], 'in the order of the pages')
  for (const to of ['eps', 'emf', 'odg']) {
    const made = await convert(tif, 'tif', to)
    t.same(Object.keys(await membersOf(made.bytes)), [`drawing-001.${to}`, `drawing-002.${to}`])
  }
})

t.test('PostScript that draws and shows no page becomes its drawing', async (t) => {
  const unfinished = postscript.slice(0, postscript.lastIndexOf('showpage', postscript.indexOf('0 0 1')))
  for (const from of ['ps', 'ai']) {
    const { bytes } = await convert(unfinished, from, 'svg')
    t.match(`${bytes}`, /rgb\(100%, ?0%, ?0%\)/, from)
    t.match((await convert(unfinished, from, 'pdf')).bytes.toString('latin1'), /^%PDF/, from)
  }
})

t.test('PostScript that shows no page is refused', async (t) => {
  const unfinished = '%!PS-Adobe-3.0\n%%Creator: somebody\n%%BoundingBox: 0 0 200 150\n'
  for (const to of ['svg', 'png', 'pdf']) {
    await t.rejects(convert(unfinished, 'ps', to), { message: /no page/ }, to)
    await t.rejects(convert(unfinished, 'ai', to), { code: 'CONVERSION_ERROR' }, to)
  }
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
  ]
  for (const [comments, size] of sizes) {
    const program = `%!PS-Adobe-3.0\n${comments}40 40 60 60 rectfill showpage\n`
    const drawing = (await convert(program, 'ps', 'svg')).bytes.toString()
    t.match(drawing, `viewBox="0 0 ${size}"`, comments.slice(0, 99))
  }
  const own = '%!PS-Adobe-3.0\n%%DocumentMedia: Letter 612 792 0 () ()\n<< /PageSize [200 150] >> setpagedevice\n'
  const { bytes } = await convert(`${own}40 40 60 60 rectfill showpage\n`, 'ps', 'svg')
  t.match(bytes.toString(), 'viewBox="0 0 200 150"', 'the program has precedence')
})
