import sharp from 'sharp'
import t from 'tap'
import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { makeJob, makeSource, startSandboxes } from '../harness/sandboxes.ts'

t.equal(coded('tga', '/in/a'), 'TGA:/in/a')
t.equal(coded('ras', '/in/a'), 'SUN:/in/a')

const { sandboxes, dataDir } = await startSandboxes(t, (settings) => ({
  ...settings,
  limits: { ...settings.limits, memory: 2 ** 30 },
}))

/** Converts a file to PNG in the sandbox. Resolves to whether there is a result. */
async function convert(source: string, content: string | Buffer = '') {
  await using sandbox = await sandboxes.open('a', [imagemagick])
  await sandbox.place(await makeSource(dataDir, content), 'a')
  await sandbox.run(imagemagick, '/usr/bin/convert-im6.q16', makeJob(), [source, 'PNG:/out/b'], () => {})
  return (await sandbox.result('b')) !== undefined
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

t.test('the policy', async (t) => {
  const image = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
  const png = await image.png().toBuffer()
  t.ok(await convert('PNG:/in/a', png), 'lets pictures through')
  for (const [source, content] of [
    ['SVG:/in/a', svg],
    ['MSVG:/in/a', svg],
    ['MVG:/in/a', 'viewbox 0 0 9 9 image over 0,0 0,0 "/etc/passwd"'],
    ['MSL:/in/a', '<image><read filename="/etc/passwd"/></image>'],
    ['TEXT:/in/a', 'text'],
    ['PS:/in/a', '%!PS\nshowpage'],
    ['PDF:/in/a', '%PDF-1.4'],
    ['URL:/in/a', 'http://localhost/'],
    ['HTTP://localhost/', ''],
    ['LABEL:@/etc/passwd', ''],
    ['CAPTION:text', ''],
    ['EPHEMERAL:/in/a', png],
    ['GRADIENT:red-blue', ''],
    ['PNG:@/in/a', '/etc/hostname'],
    ['|id', ''],
  ] as const) {
    const error = await convert(source, content).catch((error) => error)
    const said = `${error.message} ${error.detail ?? ''} ${error.cause ?? ''} ${JSON.stringify(error)}`
    t.equal(error.code, 'CONVERSION_ERROR', source)
    t.match(said, /not ?(allowed|authorized)|policy|no decode delegate/i, source)
  }
})

t.test('too many pixels', async (t) => {
  const head = Buffer.from('P5 65536 1 255\n')
  await t.rejects(convert('PGM:/in/a', Buffer.concat([head, Buffer.alloc(65_536)])), { code: 'RESOURCE_LIMIT' })
})
