/** Pictures with a very long side: converted, or refused with the limit of the target. */
import sharp from 'sharp'
import t from 'tap'
import { studio } from '../../harness/studio.ts'

t.setTimeout(10 * 60_000)
const { convert, failure, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const strip = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .png()
    .toBuffer()

t.test('more than 16,384 pixels a side', async (t) => {
  const source = await strip(20_000, 4)
  for (const to of ['bmp', 'psd', 'tga', 'ppm', 'pcx']) {
    const { bytes } = await convert(source, `png>${to}`)
    const back = sharp((await convert(bytes, `${to}>png`)).bytes)
    const { width, height } = await back.metadata()
    t.same([width, height], [20_000, 4], to)
    const { channels } = await back.stats()
    t.same(
      channels.slice(0, 3).map(({ mean }) => Math.round(mean)),
      [192, 64, 32],
      to,
    )
  }
})

t.test('more pixels a side than the target holds', async (t) => {
  const limits = { psd: 30_000, pict: 32_767, bmp: 65_535, pcx: 65_535, ppm: 65_535, gif: 65_535 }
  const source = await strip(70_000, 2)
  for (const [to, limit] of Object.entries(limits))
    t.match(
      await failure(source, `png>${to}`),
      { code: 'CONVERSION_ERROR', message: `70000 × 2 pixels, and ${to} can have at most ${limit} per side` },
      to,
    )
})
