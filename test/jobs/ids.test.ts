import t from 'tap'
import { newId } from '../../kernel/database/ids.ts'

t.test('ids sort in the order in which they were made', async (t) => {
  const ids = Array.from({ length: 20_000 }, () => newId('conv_'))
  t.strictSame(ids.toSorted(), ids)
  t.equal(new Set(ids).size, ids.length)
  for (const id of ids.slice(0, 10)) t.match(id, /^conv_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
})
