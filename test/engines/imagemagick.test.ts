import sharp from 'sharp'
import t, { type Test } from 'tap'
import { coded, imagemagick } from '../../engines/imagemagick.ts'
import { MiB, makeJob, makeSource, startSandboxes } from '../harness/sandboxes.ts'

t.equal(coded('tga', '/in/a'), 'TGA:/in/a')
t.equal(coded('ras', '/in/a'), 'SUN:/in/a')

/** Returns what converts a file to PNG in the sandbox, and resolves to whether there is a result. */
async function setUp(t: Test) {
  const { sandboxes, dataDir } = await startSandboxes(t, (same) => ({
    ...same,
    limits: { ...same.limits, memory: 4096 * MiB },
  }))
  return async (source: string, content: string | Buffer = '') => {
    await using box = await sandboxes.open('owner', [])
    await box.place(await makeSource(dataDir, content), 'a')
    await box.run(imagemagick, '/usr/bin/convert-im6.q16', makeJob(), [source, 'PNG:/out/b'], () => {})
    return (await box.result('b')) !== undefined
  }
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

t.test('the policy', async (t) => {
  const convert = await setUp(t)
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
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
  ] as const)
    await t.rejects(
      convert(source, content),
      { cause: { message: /not ?(allowed|authorized)|policy|no decode delegate/i } },
      source,
    )
})

t.test('too many pixels', async (t) => {
  const convert = await setUp(t)
  const head = Buffer.from('P5 16385 1 255\n')
  await t.rejects(convert('PGM:/in/a', Buffer.concat([head, Buffer.alloc(16_385)])), { code: 'RESOURCE_LIMIT' })
})
