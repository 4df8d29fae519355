/** Every writer with the smallest and the thinnest pictures. */
import t from 'tap'
import { writers } from '../../../plugins/image/writers.ts'
import { bare } from '../bare.ts'
import { pattern, sizeOf } from './pictures.ts'

t.setTimeout(60 * 60_000)
const { convert } = await bare(t, ['image'])

for (const to of writers.flatMap(({ to }) => to).filter((to) => !['ico', 'cur', 'icns'].includes(to)))
  t.test(to, async (t) => {
    for (const [width, height] of [
      [1, 1],
      [7, 3],
      [3, 301],
    ] as const) {
      const { bytes } = await convert(await pattern(width, height).png().toBuffer(), `png>${to}`)
      const back = (await convert(bytes, `${to}>png`)).bytes
      t.strictSame(await sizeOf(back), [width, height])
    }
  })
