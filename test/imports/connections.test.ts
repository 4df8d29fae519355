/** Stored connections. */
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { createConnections } from '../../kernel/imports/connections.ts'
import { createSeal } from '../../kernel/people/seal.ts'
import { startService } from '../harness/service.ts'

const secret = { access: 'access-token', refresh: 'refresh-token-ü', expiresAt: 1 }
const ada = { owner: 'user_ada', provider: 'dropbox', secret, createdAt: 1000 }

const service = await startService()
const database = await openDatabase({ url: service.kernel.config.databaseUrl, dataDir: service.dataDir })
t.teardown(async () => {
  await database.destroy()
  await service[Symbol.asyncDispose]()
})
const connections = createConnections(database, createSeal(['secret of the service'], 'test'))
const find = () => connections.find('user_ada', 'dropbox')

t.test('a connection is stored encrypted', async (t) => {
  t.equal(await find(), undefined)
  await connections.put(ada)
  t.strictSame(await find(), ada)
  const [row] = await database('connections')
  t.notMatch(JSON.stringify(row), /token/, 'nothing can be read in the database')
})

t.test('one connection for each owner and provider', async (t) => {
  await connections.put({ ...ada, provider: 's3' })
  await connections.put({ ...ada, owner: 'user_bob' })
  t.strictSame((await connections.providersOf('user_ada')).sort(), ['dropbox', 's3'])
  await connections.put({ ...ada, secret: { access: 'new' }, createdAt: 2000 })
  t.match(await find(), { secret: { access: 'new' }, createdAt: 2000 })
  t.equal((await database('connections')).length, 3)
})

t.test('late answers change nothing', async (t) => {
  await connections.update({ ...ada, secret: { access: 'of the one before' } })
  await connections.remove(ada)
  t.match(await find(), { secret: { access: 'new' } }, 'of a later connection')
  await connections.update({ ...ada, secret: { access: 'newer' }, createdAt: 2000 })
  t.match(await find(), { secret: { access: 'newer' }, createdAt: 2000 })
  await connections.remove({ ...ada, createdAt: 2000 })
  t.equal(await find(), undefined)
  await connections.update({ ...ada, createdAt: 2000 })
  t.equal(await find(), undefined, 'nothing comes back')
})

t.test('a row can be decrypted only in its place, and only with the secret that encrypted it', async (t) => {
  const { secret: sealed } = await database('connections').where({ owner: 'user_bob' }).first()
  await connections.put(ada)
  await database('connections').where({ owner: 'user_ada', provider: 'dropbox' }).update({ secret: sealed })
  t.equal(await find(), undefined, "another owner's row")
  const others = createConnections(database, createSeal(['another secret'], 'test'))
  t.equal(await others.find('user_bob', 'dropbox'), undefined)
  t.ok(await connections.find('user_bob', 'dropbox'))
})

t.test('a seal', async (t) => {
  const seal = createSeal(['secret'], 'test')
  const closed = seal.close('hello', 'here')
  t.equal(seal.open(closed, 'here'), 'hello')
  t.not(seal.close('hello', 'here'), closed, 'looks different each time')
  t.equal(seal.open(closed, 'there'), undefined)
  t.equal(createSeal(['secret'], 'other').open(closed, 'here'), undefined, 'each purpose has its key')
  for (let i = 0; i < closed.length; i++) {
    const altered = `${closed.slice(0, i)}${closed[i] === 'A' ? 'B' : 'A'}${closed.slice(i + 1)}`
    const opened = seal.open(altered, 'here')
    // The last character has bits that base64url ignores.
    if (i < closed.length - 1) t.equal(opened, undefined, `changed at ${i}`)
  }
  for (const text of ['', 'v1.', 'v1.AAAA', closed.slice(0, 30), 'hello']) t.equal(seal.open(text, 'here'), undefined)
})
