/** Fonts between formats. FreeType draws each result, and its picture is compared with that of the source. */
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { magick, program } from '../../fixtures/program.ts'
import { startMachine } from '../../harness/machine.ts'

const machine = await startMachine({ font: true })
const folder = await mkdtemp(join(tmpdir(), 'athanor-fonts-'))
await chmod(folder, 0o711)
t.teardown(async () => {
  await machine[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const TRUETYPE = '/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf'
/** Another weight. */
const OTHER = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf'
const POSTSCRIPT = '/usr/share/fonts/opentype/urw-base35/NimbusRoman-Italic.otf'

/** Mean difference of grey levels below which two pictures show the same letters: another weight of a font gives 10. */
const SAME = 2

let count = 0
/** Converts a font. Resolves to the path of the result. */
async function convert(source: string, to: string): Promise<string> {
  const from = (await machine.detect(source, source.split('.').at(-1)!))!
  const pair = machine.catalogue.find(from, to, 'convert')
  await using made = await machine.converter.convert({
    ...{ owner: 'user_font', source, pair, intent: 'convert', name: 'font', size: (await stat(source)).size },
    options: machine.options.complete(pair.plugin, to, 'convert', {}),
    ...{ signal: AbortSignal.timeout(300_000), report: () => {} },
  })
  const path = join(folder, `${count++}.${to}`)
  await writeFile(path, await readFile(made.path))
  return path
}

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
    const [picture, facts] = [await drawn(source), await described(source)]
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
  for (const [name, content] of Object.entries({
    'half.ttf': bytes.subarray(0, bytes.length / 2),
    'zeros.ttf': Buffer.concat([bytes.subarray(0, 300), Buffer.alloc(5_000)]),
    'head.woff': Buffer.from('wOFF\0\x01\0\0', 'latin1'),
  })) {
    await writeFile(join(folder, name), content)
    await t.rejects(convert(join(folder, name), 'woff2'), {
      ...{ code: 'CONVERSION_ERROR', message: 'The font is damaged, or uses features that cannot be converted' },
    })
  }
})

t.test('without the plugin, fonts are refused and subtitles are text', async (t) => {
  await using plain = await startMachine()
  t.equal(await plain.detect(TRUETYPE, 'ttf'), undefined)
  t.notOk(plain.catalogue.known.has('woff2'))
  const path = join(folder, 'film.srt')
  await writeFile(path, '1\n00:00:01,000 --> 00:00:02,000\nText\n')
  t.equal(await plain.detect(path, 'srt'), 'txt')
})
