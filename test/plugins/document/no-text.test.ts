/** Documents without any text: named so, where only text would be left. */
import t from 'tap'
import { studio } from '../../harness/studio.ts'

t.setTimeout(10 * 60_000)
const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const NAMES = 'urn:oasis:names:tc:opendocument:xmlns'
const deck = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="${NAMES}:office:1.0" xmlns:draw="${NAMES}:drawing:1.0" office:version="1.3"
 xmlns:svg="${NAMES}:svg-compatible:1.0" office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:body><office:presentation><draw:page draw:name="one">
<draw:rect svg:x="2cm" svg:y="2cm" svg:width="5cm" svg:height="3cm"/>
</draw:page></office:presentation></office:body></office:document>`)

t.test('a deck of shapes', async (t) => {
  const refused = { code: 'CONVERSION_ERROR', message: 'The document has no text' }
  for (const to of ['txt', 'md']) t.match(await failure(deck, `fodp>${to}`), refused, to)
  t.ok((await convert(deck, 'fodp>html')).bytes.length > 0)
})

t.test('a page with a picture has no text, and is no empty Markdown', async (t) => {
  const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const page = Buffer.from(`<html><body><p><img src="${pixel}"></p></body></html>`)
  t.match((await convert(page, 'html>md')).bytes.toString(), /!\[\]\(data:image/)
})
