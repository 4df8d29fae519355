/** Conversions that wait for a node which does not come back. */
import t from 'tap'
import { createRefuseUnsupported } from '../../kernel/cluster/unsupported.ts'
import { GRACE } from '../../kernel/database/tables/nodes.ts'
import { guestOwner } from '../../kernel/people/owner.ts'
import { setUp } from '../harness/conversions.ts'

t.test('they fail when another node has worked for the whole grace, and none can convert them', async (t) => {
  const { upload, start, database, conclude } = await setUp(t, async () => undefined)
  const alice = guestOwner('192.0.2.1', 'a')
  const { key: fileId } = await upload(alice)
  // Two run, three wait.
  for (let n = 0; n < 5; n++) await start(alice, { fileId, toFormat: 'upp', options: { hold: true } })
  const read: string[] = []
  const sweep = (works: number, ...offered: string[]) => {
    const roster = {
      worksFor: () => works,
      offered: () => new Map(read.length ? offered.map((pair) => [pair, 'tr']) : []),
    }
    const membership = { roster: roster as never, refresh: async () => void read.push('nodes') }
    return createRefuseUnsupported(database, conclude, membership)(Date.now(), 2)
  }
  t.equal(await sweep(GRACE - 1), 0, 'one that can may be restarting')
  t.strictSame(read, [])
  t.equal(await sweep(GRACE, 'low>upp'), 0, 'a node that has just reported can')
  t.equal(await sweep(GRACE, 'upp>low'), 2, 'not more than the limit')
  t.equal(await sweep(GRACE), 1)
  const rows = await database('conversions').orderBy('id').select('status', 'error_code', 'error_message')
  const failed = { error_code: 'CONVERSION_ERROR', error_message: 'low to upp is not supported any more' }
  t.match(
    rows,
    [0, 1, 2, 3, 4].map((n) => (n < 2 ? { status: 'processing' } : { status: 'failed', ...failed })),
  )
})
