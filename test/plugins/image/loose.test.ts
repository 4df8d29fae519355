/**
 * Pages of a small PDF pass from poppler to sharp without compression. They must look as poppler's own PNG does. Pages of
 * large ones are compressed, as they would fill the disk.
 */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import type { ImageOptions } from '../../../plugins/image/options.ts'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { startMachine } from '../../harness/machine.ts'
import { type Page, pdf } from './samples.ts'

const { catalogue, converter, options, ...rest } = await startMachine()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

/** Converts the pages to PNG. Tells the arguments of pdftoppm, and what poppler's own PNG of the first page is. */
const made = (pages: readonly Page[], given: ImageOptions = {}, dots = 150) =>
  withFolder(async (folder) => {
    const path = join(folder, 'source.pdf')
    await writeFile(path, pdf(pages))
    await program('pdftoppm', '-png', '-cropbox', '-r', dots, '-singlefile', path, join(folder, 'bare'))
    const pair = catalogue.pairs.get('pdf>png')!
    const args: string[] = []
    await using result = await converter.convert({
      ...{ owner: 'user_loose', source: path, pair, intent: 'convert', name: 'pages', report: () => {} },
      options: options.complete(pair.plugin, 'png', 'convert', { ...given }),
      size: (await stat(path)).size,
      signal: AbortSignal.timeout(120_000),
      told: (run) => run.engine === 'pdftoppm' && args.push(...run.args),
    })
    return { args, result: await readFile(result.path), bare: await readFile(join(folder, 'bare.png')) }
  })

/** The pixels of a picture, its size, channels and resolution in whole dots per inch. */
async function seen(file: Buffer) {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  const { density, hasAlpha, space } = await sharp(file).metadata()
  return { data, width: info.width, height: info.height, channels: info.channels, density, hasAlpha, space }
}

t.test('a page is the same as by poppler alone', async (t) => {
  const cases: Record<string, [Page, ImageOptions?, number?]> = {
    'a plain page': [{ paper: [300, 200] }],
    'a turned and cropped page': [{ paper: [300, 200], crop: [10, 20, 200, 120], turn: 90 }],
    'a page of a given width': [{ paper: [300, 200] }, { maxWidth: 600 }, 144],
  }
  for (const [name, [page, given, dots]] of Object.entries(cases)) {
    const { args, result, bare } = await made([page], given, dots)
    t.ok(args.includes('-tiff') && !args.includes('-png'), `${name} is not compressed twice`)
    t.strictSame(await seen(result), await seen(bare), name)
  }
})

t.test('large pages, and many, are compressed', async (t) => {
  const large = await made([{ paper: [3000, 3000] }])
  t.ok(large.args.includes('-png') && !large.args.includes('-tiff'))
  t.strictSame(await seen(large.result), await seen(large.bare))
  const many = await made(Array(51).fill({ paper: [30, 20] }))
  t.ok(many.args.includes('-png') && !many.args.includes('-tiff'))
})
