/**
 * A cluster is backed up while it works, its nodes are killed, and new nodes start on new servers: once with the old
 * Redis, which still delivers what it held, and once with an empty one.
 */
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { admin } from '../boot/program.ts'
import { type Cluster, startCluster } from '../harness/nodes.ts'
import { startObjectStore } from '../harness/servers/object-store.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'
import { ask, belong, findAll, finish, start, upload, type Verify } from './belongings.ts'
import { backUpServer, clientSettings, emptyFolder, restoreServer, run, usageOf } from './guide.ts'

t.setTimeout(900_000)

const config = {
  plans: { free: { apiKeys: 3, pendingJobs: null, conversionsPerDay: null, heavyConcurrency: null } },
  queue: { workers: 2, heavyWorkers: 1 },
}
const folder = await emptyFolder(t)
const servers = new AsyncDisposableStack()
t.teardown(() => servers.disposeAsync())
const redis = servers.use(await startRedis())
const store = servers.use(await startObjectStore())

/** Copies all objects of a bucket to another one. */
async function copy(from: string, to: string): Promise<void> {
  await store.send('PUT', `/${to}`)
  for (const Key of (await store.list(from)).stored) {
    const { Body } = await store.client.send(new GetObjectCommand({ Bucket: from, Key }))
    await store.client.send(new PutObjectCommand({ Bucket: to, Key, Body: await Body!.transformToByteArray() }))
  }
}

/** Registers somebody who uploads a file. */
async function arrive(base: string, name: string, verify: Verify) {
  const account = { email: `${name}@example.org`, password: 'correct horse battery' }
  const { token: key } = (await (await ask(base, '', 'POST', '/api/auth/register', account)).json()) as any
  await verify(account.email)
  return { ...account, key: `${key}`, file: `${(await upload(base, key, name)).fileId}` }
}

/** Ids of the conversions that Redis holds. */
async function jobsInRedis(): Promise<string[]> {
  const client = new Redis(redis.url)
  try {
    return (await client.keys('*')).flatMap((key) => /:(conv_\w+)-\d+$/.exec(key)?.[1] ?? [])
  } finally {
    client.disconnect()
  }
}

/**
 * Runs a cluster, backs it up into a bucket and ends it. A node runs one heavy conversion at a time, and one light one.
 */
async function past(t: Test, saved: string) {
  const old = await startCluster(t, { redis, store, bucket: 'cluster', config })
  const one = await old.node()
  const two = await old.node()
  const verify = (email: string) => old.rows(`update users set verified = 1 where email = '${email}'`)
  const ada = await belong(one.base, 'ada@example.org', verify)
  const bo = await belong(two.base, 'bo@example.org', verify)
  const carl = await arrive(two.base, 'carl', verify)
  const usage = await usageOf(two.base, bo)
  // While these two run, no other heavy one begins.
  const hang = { heavy: true, hang: true }
  const hanging = [await start(one.base, ada.key, ada.file, hang), await start(two.base, ada.key, ada.file, hang)]
  const processing = "select id from conversions where status = 'processing'"
  await until(async () => (await old.rows(processing)).length === 2)
  // Those of carl are delivered. Those of ada are not: she holds all heavy places.
  const waiting: [string, string][] = []
  for (const { key, file } of [ada, carl, ada, carl])
    waiting.push([await start(one.base, key, file, { heavy: true }), key])
  const running = await start(one.base, ada.key, ada.file, { sleep: 20_000 })
  await until(async () => (await old.rows(processing)).length === 3)

  await run(t, folder, backUpServer, await clientSettings(join(folder, 'old'), old.url))

  // What happens between the two steps is in the bucket and in Redis, and not in the database.
  const dora = await arrive(one.base, 'dora', verify)
  const made = await start(one.base, dora.key, dora.file)
  const { outputFileId } = await finish(one.base, dora.key, made)
  const delivered = await start(one.base, dora.key, dora.file, { heavy: true })
  await copy('cluster', saved)
  for (const each of [one, two]) await each.end('SIGKILL')
  const inRedis = [...hanging, waiting[1]![0], waiting[3]![0], delivered]
  const late = { dora, conversions: [made, delivered], files: [dora.file, `${outputFileId}`] }
  return { ada, bo, carl, usage, hanging, running, waiting, inRedis, late }
}

/** Restores the database, starts two nodes, and finds everything in them. */
async function compare(t: Test, cluster: Cluster, kept: Awaited<ReturnType<typeof past>>): Promise<void> {
  const { ada, bo, carl, usage, hanging, running, waiting, late } = kept
  await run(t, folder, restoreServer, await clientSettings(join(folder, 'new'), cluster.url))
  const before = await cluster.rows("select id, status from conversions where status <> 'completed' order by seq")
  t.match(before, [
    ...hanging.map((id) => ({ id, status: 'processing' })),
    ...waiting.map(([id]) => ({ id, status: 'queued' })),
    { id: running, status: 'processing' },
  ])

  const nodes = [await cluster.node(), await cluster.node()]
  const { base } = nodes[0]!
  const today = await usageOf(base, bo)
  if (today.day === usage.day) t.same(today, usage, 'quotas are what they were')
  for (const id of hanging) await ask(base, ada.key, 'DELETE', `/api/conversions/${id}`)
  for (const [id, key] of [[running, ada.key] as const, ...waiting])
    t.match(await finish(base, key, id), { status: 'completed' })
  await findAll(t, base, ada)
  await findAll(t, nodes[1]!.base, bo)

  const ended = await cluster.rows('select id, status, fence, attempts, output_key from conversions')
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
  await t.rejects(start(base, carl.key, late.dora.file), /404/)
  const [totals] = await cluster.rows(
    `select (select sum(conversions) from quota_use) as charged, (select count(*) from conversions where status = 'completed') as made,
       (select sum(bytes) from stored_bytes) as bytes,
       (select sum(size) from files) + (select sum(output_size) from conversions) as stored`,
  )
  const ran = Number(totals!.charged) - totals!.made
  t.ok(ran >= 0 && ran <= hanging.length, 'each conversion is charged once, and a cancelled one at most')
  t.equal(Number(totals!.bytes), Number(totals!.stored), 'stored bytes match the records')

  const { code, stdout, stderr } = await admin(
    t,
    { ...cluster.env, DATA_DIR: nodes[0]!.dataDir },
    ...['files', 'stray', '--json'],
  )
  t.equal(code, 0, stderr)
  const strays = JSON.parse(stdout).map(({ key }: { key: string }) => key)
  t.strictSame(strays.sort(), late.files.sort(), 'files without a record are found')
  const named = await cluster.rows('select `key` as name from files')
  const results = ended.flatMap(({ output_key }) => output_key ?? [])
  const recorded = [...named.map(({ name }) => name), ...results]
  t.strictSame((await cluster.objects()).sort(), [...recorded, ...strays].sort(), 'nothing else is stored')
  for (const each of nodes) t.equal(await each.end('SIGTERM'), 0)
}

let kept: Awaited<ReturnType<typeof past>>

t.test('a cluster is backed up, and all its nodes are killed', async (t) => {
  kept = await past(t, 'full')
  await copy('full', 'emptied')
  const jobs = await jobsInRedis()
  const missing = kept.inRedis.filter((id) => !jobs.includes(id))
  t.strictSame(missing, [], 'Redis still holds what ran, what waited and what came later')
})

/** Restores into another server. */
const restore = async (t: Test, bucket: string) =>
  compare(t, await startCluster(t, { redis, store, bucket, config }), kept)

t.test('it is restored beside the old Redis', (t) => restore(t, 'full'))

t.test('it is restored beside an empty Redis', async (t) => {
  await redis.empty()
  await restore(t, 'emptied')
})
