/** Formats of an external plugin: uploaded, detected and converted, although the service alone refuses them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { zip } from '../detection/build.ts'
import { folderOf } from '../harness/folder.ts'
import { form, get, post, startService, upload } from '../harness/service.ts'

const folder = await folderOf(t)
const plugin = join(folder, 'index.mjs')
await writeFile(
  plugin,
  `export default ({ engines: { cp } }) => ({
    category: 'font',
    formats: {
      ttf: { mime: 'font/ttf', signatures: ['\\0\\x01\\0\\0\\0'] },
      sketch: { mime: 'application/x-sketch', sniff: (head) => Buffer.from(head).includes('mimetypeapplication/x-sketch') },
    },
    options: {},
    routes: [{ transform: ['ttf', 'sketch'], engine: cp, args: () => [] }],
  })`,
)

/** A TrueType font with one table. */
const font = Buffer.from('\0\x01\0\0\0\x01\0\x10\0\0\0\0glyf'.padEnd(80, '\0'), 'latin1')
const sketch = new Uint8Array(zip({ mimetype: 'application/x-sketch', 'page.json': '{}' }))

t.test('without the plugin, the font is refused and the other file is a zip', async (t) => {
  await using service = await startService({
    change: (config) => {
      config.plugins = { archive: true }
    },
  })
  t.match(await upload(service, form(font, 'a.ttf')), { status: 400, json: { error: { message: /fonts/ } } })
  t.match(await upload(service, form(sketch, 'a.sketch')), { json: { file: { format: 'zip' } } })
})

t.test('with the plugin, they are formats of its category, and their results are checked', async (t) => {
  await using service = await startService({
    change: (config) => {
      config.plugins = { [plugin]: true }
    },
  })
  for (const [format, bytes] of [
    ['ttf', font],
    ['sketch', sketch],
  ] as const) {
    const uploaded = await upload(service, form(bytes, 'a.bin'))
    t.match(uploaded, { status: 201, json: { file: { format, category: 'font' } } }, format)
    const { fileId } = uploaded.json.file
    const { json } = await post(service, '/api/conversions', { fileId, toFormat: format, jobIntent: 'transform' })
    const { conversion } = (await get(service, `/api/conversions/${json.conversionId}?wait=30`)).json
    t.equal(conversion.status, 'completed', JSON.stringify(conversion.error))
  }
})
