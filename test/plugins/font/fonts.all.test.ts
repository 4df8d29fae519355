/** Fonts between formats. FreeType draws each result, and its picture is compared with that of the source. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { magick, program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(20 * 60_000)
const { convert: converted, failure, folder, machine, ...rest } = await studio({ font: true })
t.teardown(() => rest[Symbol.asyncDispose]())

const TRUETYPE = '/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf'
/** Another weight. */
const OTHER = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf'
const POSTSCRIPT = '/usr/share/fonts/opentype/urw-base35/NimbusRoman-Italic.otf'

/** Mean difference of grey levels below which two pictures show the same letters: another weight of a font gives 10. */
const SAME = 2

let count = 0
const convert = async (source: string, to: string) =>
  (await converted(source, `${source.slice(source.lastIndexOf('.') + 1)}>${to}`)).path

/** Draws a line by FreeType, without hints, which belong to one kind of outlines. */
async function drawn(font: string): Promise<Buffer> {
  const path = join(folder, `${count++}.png`)
  const line = ['-annotate', '+20+140', 'Hamburgefonstiv ÄÖß&@ 0123']
  await magick(
    '-size',
    '1800x200',
    'xc:white',
    '-define',
    'type:hinting=off',
    '-font',
    font,
    '-pointsize',
    120,
    ...line,
    path,
  )
  return sharp(path).grayscale().raw().toBuffer()
}

const difference = (one: Buffer, other: Buffer) =>
  one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length

/** What fontconfig reads: names, weight, slant and the number of letters. */
const described = async (font: string) =>
  (await program('fc-scan', '-f', '%{family}|%{style}|%{weight}|%{slant}|%{charset}', font)).toString()

for (const source of [TRUETYPE, POSTSCRIPT])
  t.test(source.split('/').at(-1)!, async (t) => {
    const picture = await drawn(source)
    const facts = await described(source)
    t.ok(difference(await drawn(OTHER), picture) > 4 * SAME, 'another font looks different')
    const others = ['ttf', 'otf', 'woff', 'woff2'].filter((to) => !source.endsWith(to))
    for (const to of others) {
      const made = await convert(source, to)
      t.equal(await machine.detect(made, to), to)
      t.ok(difference(await drawn(made), picture) < SAME, `${to} looks the same`)
      t.equal(await described(made), facts, `${to} has the same names and letters`)
      for (const back of ['ttf', 'otf', 'woff', 'woff2'].filter((one) => one !== to)) {
        const again = await convert(made, back)
        const far = difference(await drawn(again), picture)
        t.ok(far < SAME, `${to} to ${back} looks the same: ${far}`)
      }
      if (to === 'woff2') t.ok((await stat(made)).size < 0.75 * (await stat(source)).size, 'it is smaller')
    }
  })

t.test('damaged fonts are refused', async (t) => {
  const bytes = await readFile(TRUETYPE)
  const message = 'The font is damaged, or uses features that cannot be converted'
  for (const [pair, content] of [
    ['ttf>woff2', bytes.subarray(0, bytes.length / 2)],
    ['ttf>woff2', Buffer.concat([bytes.subarray(0, 300), Buffer.alloc(5_000)])],
    ['woff>woff2', Buffer.from('wOFF\0\x01\0\0', 'latin1')],
  ] as const)
    t.same(await failure(content, pair), { code: 'CONVERSION_ERROR', message }, `${content.length} bytes`)
})
