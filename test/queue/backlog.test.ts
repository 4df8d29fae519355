/** What the queue of several nodes reads of the database, on a real server. */
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { listBacklog } from '../../kernel/database/tables/backlog.ts'
import { startMariaDb } from '../services/mariadb.ts'

t.test('only what may be delivered next is read of a long backlog', { timeout: 900_000 }, async (t) => {
  await using undo = new AsyncDisposableStack()
  const server = undo.use(await startMariaDb())
  const database = await openDatabase({ url: await server.create('backlog'), dataDir: '' })
  undo.defer(() => database.destroy())
  const same = {
    ...{ plan: 'guest', progress: 0, category: 'stub', from_format: 'a', to_format: 'b', intent: 'convert' },
    ...{ options: '{}', source_key: 'key', source_size: 1, name: 'a', fence: 0, created_at: 1, charged_to: 'a' },
  }
  const add = (ids: readonly string[], lane: string, more: object = {}) =>
    database('conversions').insert(
      ids.map((id) => ({ ...same, id, owner: lane, lane, status: 'queued', heavy: 0, attempts: 0, ...more })),
    )
  const many = (letter: string) => Array.from({ length: 500 }, (_, n) => `${letter}${999 - n}`)
  await add(['interrupted1', 'interrupted2'], 'user_a', { attempts: 1 })
  await add(['runs'], 'user_a', { status: 'processing', attempts: 1 })
  await add(['ended'], 'user_a', { status: 'completed', attempts: 1 })
  await add(many('a'), 'user_a')
  await add(many('h'), 'user_a', { heavy: 1 })
  await add(many('b'), 'user_b')
  const ids = async (lane?: string) => (await listBacklog(database, { most: 2, lane })).map(({ id }) => id).join(' ')
  t.equal(await ids('user_a'), 'runs a999 a998 h999 h998', 'in the order of their arrival')
  t.equal(await ids('user_b'), 'b999 b998')
  t.equal(await ids('user_c'), '')
  t.equal(await ids(), 'interrupted1 runs a999 a998 h999 h998 b999 b998')
})
