/**
 * A cluster is backed up while it works, its nodes are killed, and new nodes start on new servers, with the old Redis,
 * which still delivers what it held. What an empty Redis does: test/cluster.
 */
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { Redis } from 'ioredis'
import t from 'tap'
import { admin } from '../boot/program.ts'
import { startCluster } from '../harness/nodes.ts'
import { startObjectStore } from '../harness/servers/object-store.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'
import { ask, belong, findAll, finish, start } from './belongings.ts'
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
const old = await startCluster(t, { redis, store, bucket: 'cluster', config })
const one = await old.node()
const two = await old.node()

/** Copies all objects of a bucket to another one. */
async function copy(from: string, to: string): Promise<void> {
  await store.send('PUT', `/${to}`)
  for (const Key of (await store.list(from)).stored) {
    const { Body } = await store.client.send(new GetObjectCommand({ Bucket: from, Key }))
    await store.client.send(new PutObjectCommand({ Bucket: to, Key, Body: await Body!.transformToByteArray() }))
  }
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

t.test('a cluster is restored beside the Redis that it had', async (t) => {
  const verify = (email: string) => old.rows(`update users set verified = 1 where email = '${email}'`)
  const [ada, bo, carl] = [
    await belong(one.base, 'ada', verify),
    await belong(two.base, 'bo', verify),
    await belong(two.base, 'carl', verify),
  ] as const
  const usage = await usageOf(two.base, bo)
  // While these two run, no other heavy one begins.
  const hang = { heavy: true, hang: true }
  const hanging = [await start(one.base, ada.key, ada.file, hang), await start(two.base, ada.key, ada.file, hang)]
  const processing = "select id from conversions where status = 'processing'"
  await until(async () => (await old.rows(processing)).length === 2)
  // Those of carl are delivered. Those of ada are not: she holds all heavy places.
  const waiting: [string, string][] = []
  for (const { key, file } of [ada, carl]) waiting.push([await start(one.base, key, file, { heavy: true }), key])
  const running = await start(one.base, ada.key, ada.file, { sleep: 20_000 })
  await until(async () => (await old.rows(processing)).length === 3)
  await run(t, folder, backUpServer, await clientSettings(join(folder, 'old'), old.url))
  // What happens between the two steps is in the bucket and in Redis, and not in the database.
  const dora = await belong(one.base, 'dora', verify)
  const delivered = await start(one.base, dora.key, dora.file, { heavy: true })
  const late = await old.rows(`select output_key from conversions where id = '${dora.conversion}'`)
  await copy('cluster', 'saved')
  for (const each of [one, two]) await each.end('SIGKILL')
  const jobs = await jobsInRedis()
  const missing = [...hanging, waiting[1]![0], delivered].filter((id) => !jobs.includes(id))
  t.strictSame(missing, [], 'Redis still holds what ran, what waited and what came later')

  const cluster = await startCluster(t, { redis, store, bucket: 'saved', config })
  await run(t, folder, restoreServer, await clientSettings(join(folder, 'new'), cluster.url))
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
  t.notOk(
    ended.some(({ id }) => [dora.conversion, delivered].includes(id)),
    'nothing is there of what came later',
  )
  const { email, password } = dora
  await t.rejects(ask(base, '', 'POST', '/api/auth/login', { email, password }), /401/)
  await t.rejects(ask(base, dora.key, 'GET', `/api/conversions/${dora.conversion}`), /40[14]/)
  await t.rejects(start(base, carl.key, dora.file), /404/)

  const env = { ...cluster.env, DATA_DIR: nodes[0]!.dataDir }
  const { code, stdout, stderr } = await admin(t, env, 'files', 'stray', '--json')
  t.equal(code, 0, stderr)
  const strays = JSON.parse(stdout).map(({ key }: { key: string }) => key)
  t.strictSame(strays.sort(), [dora.file, late[0]!.output_key].sort(), 'files without a record are found')
  const named = await cluster.rows('select `key` as name from files')
  const recorded = [...named.map(({ name }) => name), ...ended.flatMap(({ output_key }) => output_key ?? [])]
  t.strictSame((await cluster.objects()).sort(), [...recorded, ...strays].sort(), 'nothing else is stored')
  for (const each of nodes) t.equal(await each.end('SIGTERM'), 0)
})
