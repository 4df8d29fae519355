/**
 * A cluster is backed up while it works, its nodes are killed, and new nodes start on new servers: once with the old Redis,
 * which still delivers what it held, and once with an empty one.
 */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { startObjectStore } from '../harness/servers/object-store.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'
import { admin } from '../start/program.ts'
import { ask, belong, findAll, finish } from './belongings.ts'
import { arrive, type Bucket, copy, jobsIn, nodesIn, type Place, rows, start } from './cluster-ground.ts'
import { backUpServer, clientSettings, emptyFolder, restoreServer, run, usageOf } from './guide.ts'

t.setTimeout(900_000)

const folder = await emptyFolder(t)
const servers = new AsyncDisposableStack()
t.teardown(() => servers.disposeAsync())
const redis = servers.use(await startRedis())
const { environment, node } = nodesIn(folder, redis.url)
/** Runs a cluster, backs it up and ends it. @param saved Gets the copy of the bucket. */
async function past(t: Test, saved: Bucket) {
  await using old = new AsyncDisposableStack()
  const server = old.use(await startMariaDb())
  const store = old.use(await startObjectStore())
  await store.send('PUT', '/cluster')
  const place = { database: await server.create('athanor'), store, bucket: 'cluster' }
  const [one, two] = [await node(t, place), await node(t, place)]
  const ada = await belong(one.base, 'ada@example.org')
  const bo = await belong(two.base, 'bo@example.org')
  const carl = await arrive(two, 'carl')
  const usage = await usageOf(two.base, bo)
  // While these two run, no other heavy one begins.
  const hang = { heavy: true, hang: true }
  const hanging = [await start(one, ada, hang), await start(two, ada, hang)]
  const processing = "select id from conversions where status = 'processing'"
  await until(async () => (await rows(place, processing)).length === 2)
  // Those of carl are delivered. Those of ada are not: she holds all heavy places.
  const waiting: [string, string][] = []
  for (const { key, file } of [ada, carl, ada, carl])
    waiting.push([await start(one, { key, file }, { heavy: true }), key])
  const running = await start(one, ada, { sleep: 20_000 })
  await until(async () => (await rows(place, processing)).length === 3)

  await run(t, folder, backUpServer, await clientSettings(join(folder, 'old'), place.database))

  // What happens between the two steps is in the bucket and in Redis, and not in the database.
  const dora = await arrive(one, 'dora')
  const made = await start(one, dora, {})
  const { outputFileId } = await finish(one.base, dora.key, made)
  const delivered = await start(one, dora, { heavy: true })
  await copy(place, saved)
  for (const each of [one, two]) await each.end('SIGKILL')
  const inRedis = [...hanging, waiting[1]![0], waiting[3]![0], delivered]
  const late = { dora, conversions: [made, delivered], files: [dora.file, `${outputFileId}`] }
  return { ada, bo, carl, usage, hanging, running, waiting, inRedis, late }
}

/** Restores the database, starts two nodes, and finds everything in them. */
async function compare(t: Test, place: Place, kept: Awaited<ReturnType<typeof past>>): Promise<void> {
  const { ada, bo, carl, usage, hanging, running, waiting, late } = kept
  await run(t, folder, restoreServer, await clientSettings(join(folder, 'new'), place.database))
  const before = await rows(place, "select id, status from conversions where status <> 'completed' order by seq")
  t.match(before, [
    ...hanging.map((id) => ({ id, status: 'processing' })),
    ...waiting.map(([id]) => ({ id, status: 'queued' })),
    { id: running, status: 'processing' },
  ])

  const nodes = [await node(t, place), await node(t, place)]
  const { base } = nodes[0]!
  const today = await usageOf(base, bo)
  if (today.day === usage.day) t.same(today, usage, 'quotas are what they were')
  for (const id of hanging) await ask(base, ada.key, 'DELETE', `/api/conversions/${id}`)
  for (const [id, key] of [[running, ada.key] as const, ...waiting])
    t.match(await finish(base, key, id), { status: 'completed' })
  await findAll(t, base, ada)
  await findAll(t, nodes[1]!.base, bo)

  const ended = await rows(place, 'select id, status, fence, attempts, output_key from conversions')
  const wrong = ended.filter(({ id, status, fence, attempts }) => {
    if (hanging.includes(id)) return status !== 'failed'
    const claims = id === running ? 2 : 1
    return status !== 'completed' || fence !== claims || attempts !== claims
  })
  t.strictSame(wrong, [], 'what waited was claimed once, and what ran was claimed once more')

  const later = ended.filter(({ id }) => late.conversions.includes(id))
  t.strictSame(later, [], 'nothing is there of what came later')
  const { email, password } = late.dora
  await t.rejects(ask(base, '', 'POST', '/api/auth/login', { email, password }), /401/)
  await t.rejects(ask(base, late.dora.key, 'GET', `/api/conversions/${late.conversions[0]}`), /40[14]/)
  await t.rejects(start(nodes[0]!, { ...carl, file: late.dora.file }, {}), /404/)
  const [totals] = await rows(
    place,
    `select (select sum(conversions) from quota_use) as charged, (select count(*) from conversions where status = 'completed') as made,
       (select sum(bytes) from stored_bytes) as bytes,
       (select sum(size) from files) + (select sum(output_size) from conversions) as stored`,
  )
  t.equal(Number(totals!.charged), totals!.made, 'each conversion is charged once, and a cancelled one is not')
  t.equal(Number(totals!.bytes), Number(totals!.stored), 'stored bytes match the records')

  const { code, stdout, stderr } = await admin(
    t,
    { ...environment(place), DATA_DIR: nodes[0]!.dataDir },
    ...['files', 'stray', '--json'],
  )
  t.equal(code, 0, stderr)
  const strays = JSON.parse(stdout).map(({ key }: { key: string }) => key)
  t.strictSame(strays.sort(), late.files.sort(), 'files without a record are found')
  const named = await rows(place, 'select `key` as name from files')
  const results = ended.flatMap(({ output_key }) => output_key ?? [])
  const recorded = [...named.map(({ name }) => name), ...results]
  t.strictSame(
    (await place.store.list(place.bucket)).stored.sort(),
    [...recorded, ...strays].sort(),
    'nothing else is stored',
  )
  for (const each of nodes) t.equal(await each.end('SIGTERM'), 0)
}

const store = servers.use(await startObjectStore())
let kept: Awaited<ReturnType<typeof past>>

t.test('a cluster is backed up, and all its nodes are killed', async (t) => {
  kept = await past(t, { store, bucket: 'full' })
  await copy({ store, bucket: 'full' }, { store, bucket: 'emptied' })
  const jobs = await jobsIn(redis.url)
  const missing = kept.inRedis.filter((id) => !jobs.includes(id))
  t.strictSame(missing, [], 'Redis still holds what ran, what waited and what came later')
})

/** Restores into another server. */
async function restore(t: Test, bucket: string): Promise<void> {
  await using server = await startMariaDb()
  await compare(t, { database: await server.create('athanor'), store, bucket }, kept)
}

t.test('it is restored beside the old Redis', (t) => restore(t, 'full'))

t.test('it is restored beside an empty Redis', async (t) => {
  await redis.empty()
  await restore(t, 'emptied')
})
