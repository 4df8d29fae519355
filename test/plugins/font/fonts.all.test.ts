/** Fonts between formats. FreeType draws each result, and its picture is compared with that of the source. */
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { magick, program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'

t.setTimeout(20 * 60_000)
const { convert, folder } = await bare(t, ['font'])

const TRUETYPE = '/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf'
const POSTSCRIPT = '/usr/share/fonts/opentype/urw-base35/NimbusRoman-Italic.otf'

/** Mean difference of grey levels below which two pictures show the same letters: another weight of a font gives 10. */
const SAME = 2

/** Draws a line by FreeType, without hints, which belong to one kind of outlines. */
async function drawn(font: string): Promise<Buffer> {
  const path = join(folder, 'line.png')
  const look = ['-define', 'type:hinting=off', '-font', font, '-pointsize', 120]
  await magick('-size', '1800x200', 'xc:white', ...look, '-annotate', '+20+140', 'Hamburgefonstiv ÄÖß&@ 0123', path)
  return sharp(path).grayscale().raw().toBuffer()
}

const difference = (one: Buffer, other: Buffer) =>
  one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length

/** What fontconfig reads: names, weight, slant and the number of letters. */
const described = async (font: string) =>
  (await program('fc-scan', '-f', '%{family}|%{style}|%{weight}|%{slant}|%{charset}', font)).toString()

const formats = ['ttf', 'otf', 'woff', 'woff2']
for (const source of [TRUETYPE, POSTSCRIPT])
  t.test(source.split('/').at(-1)!, async (t) => {
    const picture = await drawn(source)
    const from = source.slice(-3)
    for (const to of formats.filter((to) => to !== from)) {
      const { path } = await convert(source, `${from}>${to}`)
      t.ok(difference(await drawn(path), picture) < SAME, `${to} looks the same`)
      t.equal(await described(path), await described(source), `${to} has the same names and letters`)
      for (const back of formats.filter((one) => one !== to)) {
        const again = (await convert(path, `${to}>${back}`)).path
        t.ok(difference(await drawn(again), picture) < SAME, `${to} to ${back} looks the same`)
      }
    }
  })
