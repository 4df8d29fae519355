/** Real files from a folder next to the repository: each file that can become a png does, and shows something. */
import { basename } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { corpus } from '../fixtures/corpus.ts'
import { convertFile, startMachine } from '../harness/machine.ts'
import { decode } from './decode.ts'

t.setTimeout(60 * 60_000)

/** Files with a password. */
const locked = /^encrypted\./

/** A file with nothing but comments, which shows nothing. */
const blank = 'comments.docx'

/** PostScript that ends after its head, without a page. */
const pageless = 'tiny-ps.ai'

const files = await corpus()

t.test('real files become pictures', { skip: files.length === 0 && 'there is no corpus' }, async (t) => {
  await using machine = await startMachine()
  for (const source of files) {
    const name = basename(source)
    const from = await machine.detect(source, name.split('.').at(-1)!)
    const pair = from && machine.catalogue.pairs.get(`${from}>png`)
    if (!pair || pair.methods.length === 0 || from === 'png') continue
    await t.test(`${name} (${from})`, async (t) => {
      const conversion = convertFile(machine, source, pair, { maxWidth: 400, maxHeight: 400 })
      if (locked.test(name)) return void (await t.rejects(conversion, { code: 'ENCRYPTED_INPUT' }))
      if (name === pageless) return void (await t.rejects(conversion, { code: 'CONVERSION_ERROR' }))
      await using made = await conversion
      if (made.paged) {
        t.equal(await machine.detect(made.path, 'zip'), 'zip', 'its pages are in a zip')
        return
      }
      const { width, height, data } = await decode(made.path, 'png')
      t.ok(width <= 400 && height <= 400, `${width} × ${height} is in the box`)
      if (name === blank) return
      const { channels } = await sharp(data, { raw: { width, height, channels: 4 } }).stats()
      // A line of text on a large page changes few pixels, but strongly.
      const shows = channels.slice(0, 3).some(({ min, max, stdev }) => stdev > 1 || max - min > 64)
      t.ok(shows || channels[3]!.stdev > 1, 'it is not blank')
    })
  }
})
