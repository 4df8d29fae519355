/** Formats of an external plugin, which the service alone refuses, and names that decide a format. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { zip } from '../detection/build.ts'
import { folderOf } from '../harness/folder.ts'
import { call, form, get, post, serviceOf, upload } from '../harness/service.ts'

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
    routes: [
      { transform: ['ttf', 'sketch'], engine: cp, args: () => [] },
      { from: ['txt', 'md', 'rtf'], to: ['sketch'], engine: cp, args: () => [] },
    ],
  })`,
)

/** A TrueType font with one table. */
const font = Buffer.from('\0\x01\0\0\0\x01\0\x10\0\0\0\0glyf'.padEnd(80, '\0'), 'latin1')
const sketch = new Uint8Array(zip({ mimetype: 'application/x-sketch', 'page.json': '{}' }))

const service = await serviceOf(t, {
  change: (config) => {
    config.plugins = { [plugin]: true }
    config.plans.guest.conversionsPerDay = null
  },
})

t.test('they are formats of its category, and their results are checked', async (t) => {
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

t.test('the name given at the start decides if the content does not', async (t) => {
  const send = async (bytes: string, name: string) => (await upload(service, form(bytes, name))).json.file
  const fromFormat = async (fileId: string, more: object) => {
    const started = await post(service, '/api/conversions', { fileId, toFormat: 'sketch', ...more })
    const path = `/api/conversions/${started.json.conversionId}`
    const { conversion } = (await get(service, path)).json
    await call(service, 'DELETE', path)
    return conversion.fromFormat
  }
  const blob = await send('# Heading\n\nWords.\n', 'blob')
  t.equal(blob.format, 'txt')
  for (const [more, format, why] of [
    [{}, 'txt', 'without a name as detected'],
    [{ fileName: 'notes.md' }, 'md', 'a name'],
    [{ fileName: 'notes.markdown' }, 'md', 'an alias'],
    [{ fileName: 'notes' }, 'txt', 'a name that says nothing'],
    [{ fileName: 'notes.md', fromFormat: 'txt' }, 'txt', 'fromFormat wins'],
    [{ fileName: 'notes.docx' }, 'txt', 'a format with a signature'],
    [{ fileName: 'notes.pages' }, 'txt', 'a format that is refused'],
  ] as const)
    t.equal(await fromFormat(blob.fileId, more), format, why)
  const named = await send('# Heading\n\nWords.\n', 'notes.md')
  t.equal(await fromFormat(named.fileId, { fileName: 'report' }), 'md', 'the name of the upload stands')
  const rich = await send('{\\rtf1\\ansi Words.\\par}', 'blob')
  t.equal(rich.format, 'rtf')
  t.equal(await fromFormat(rich.fileId, { fileName: 'notes.md' }), 'rtf', 'a signature is not overridden')
})
