import t from 'tap'
import { avif } from '../../engines/programs/sharp/settings.ts'

/** A page of A4 at 150 dpi. */
const page = 1240 * 1754

t.test('pages of a long document share the effort of one', async (t) => {
  const effort = (pages: number) => avif(55, false, page, pages).effort
  t.strictSame([1, 8, 54, 200].map(effort), [3, 3, 1, 0])
  t.match(avif(55, true, page, 54), { lossless: true, effort: 1 })
  t.equal(avif(55, false, page, 54).quality, 55)
})
