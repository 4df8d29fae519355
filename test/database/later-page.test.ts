import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { listConversions } from '../../kernel/database/tables/shown-conversions.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'

const OWNED = 3000
const PAGE = 50

const id = (number: number) => `conv_${number.toString(16).padStart(32, '0')}`

t.test('a later page of a list reads no more of it than the page', async (t) => {
  await using server = await startMariaDb()
  const database = await openDatabase({ url: await server.create('lists'), dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  const now = Date.now()
  const row = {
    owner: 'user_1',
    lane: 'user_1',
    plan: 'free',
    status: 'completed',
    progress: 100,
    category: 'image',
    from_format: 'png',
    to_format: 'jpg',
    intent: 'convert',
    options: '{}',
    source_key: 'x',
    source_size: 1,
    name: 'x',
    heavy: 0,
    attempts: 1,
    created_at: now,
    completed_at: now,
    expires_at: now + 3_600_000,
  }
  // The lists of others make the owner's a small part of the table.
  const rows = (owner: string, from: number) =>
    Array.from({ length: OWNED }, (_, number) => ({ ...row, owner, id: id(from + number) }))
  for (const [other, owner] of ['user_1', 'user_2', 'user_3', 'user_4'].entries()) {
    await database.batchInsert('conversions', rows(owner, other * OWNED), 500)
  }
  await database.raw('analyze table conversions')

  const rowsRead = async (): Promise<number> => {
    const [counters] = await database.raw("show global status like 'Handler_read_prev'")
    return Number(counters[0].Value)
  }
  for (const status of [undefined, 'completed'] as const) {
    for (const below of [PAGE, OWNED / 2, OWNED - PAGE]) {
      const before = await rowsRead()
      const query = { limit: PAGE, now, before: id(below), ...(status && { status }) }
      const page = await listConversions(database, ['user_1'], query)
      const ids = page.map((each) => each.id)
      t.strictSame([ids.length, ids[0], ids.at(-1)], [PAGE, id(below - 1), id(below - PAGE)])
      t.ok((await rowsRead()) - before <= 2 * PAGE, `from ${below} on, ${status ?? 'in any status'}`)
    }
  }
})
