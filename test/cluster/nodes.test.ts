/**
 * Two equal nodes on one MariaDB, one Redis and one shared folder: who runs what, what they tell each other, and what
 * is lost.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Config } from '../../config/config.ts'
import { listen } from '../harness/listen.ts'
import { startCluster } from '../harness/nodes.ts'
import { call, finish, get, pathOf, post, type Service, startService, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { begin, head, placeOf } from '../http/tus.ts'

t.setTimeout(900_000)

const cluster = await startCluster(t)
const change = ({ plans, queue }: Config) => {
  Object.assign(plans.guest, { pendingJobs: null, conversionsPerDay: null, bytesPerDay: null })
  Object.assign(queue, { workers: 5, heavyWorkers: 1 })
}
const node = async () => cluster.servers.use(await startService({ env: cluster.env, change }))
// Both start at once: one migrates, the other waits for it.
const [one, two] = await Promise.all([node(), node()])
const both = [one, two]
const { fileId } = (await upload(one)).json.file

const nodeIdOf = ({ log }: Service) => `${log.find(({ msg }) => /joined the nodes/.test(`${msg}`))!.node}`
const logOf = ({ log }: Service) => JSON.stringify(log)
const text = async (service: Service, path: string) => `${(await get(service, path)).body}`

async function start(service: Service, options: object = {}): Promise<string> {
  const { status, json } = await post(service, '/api/conversions', { fileId, toFormat: 'bust', options })
  if (status !== 201) throw new Error(`start: ${status} ${JSON.stringify(json)}`)
  return json.conversionId
}

const rowOf = async (id: string) => (await cluster.rows(`select * from conversions where id = '${id}'`))[0]!
const running = () => cluster.rows("select id, node from conversions where status = 'processing'")

/** Lets Redis be away, while nothing is delivered. */
async function withoutRedis<Result>(use: () => Promise<Result>): Promise<Result> {
  await cluster.redis.stop()
  try {
    return await use()
  } finally {
    await cluster.redis.start()
  }
}

t.test('a key holds on both nodes at once', async (t) => {
  const headers = { 'idempotency-key': 'both-1' }
  const send = (service: Service) => post(service, '/api/conversions', { fileId, toFormat: 'bust' }, headers)
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => send(both[n % 2]!)))
  const ids = replies.map(({ status, json }) => (status === 201 ? json.conversionId : json.error.code))
  const made = new Set(ids.filter((id) => id !== 'IDEMPOTENCY_KEY_IN_USE'))
  t.equal(made.size, 1)
  for (const each of both) t.match(await send(each), { status: 201, json: { conversionId: [...made][0] } })
  t.equal((await cluster.rows('select id from conversions')).length, 1)
  await finish(two, `${[...made][0]}`)
})

t.test('each shows the nodes', async (t) => {
  const nodes = async (service: Service) => (await get(service, '/readyz')).json.parts.nodes
  // The first one learns of the second with its next renewal.
  for (const each of both) await until(async () => (await nodes(each)).detail.startsWith('2 living'))
  const all = '2 living \\(2 all\\), of version \\S+; places: 8 light, 2 heavy; this one'
  const [leader, other] = /leads/.test((await nodes(one)).detail) ? both : both.toReversed()
  t.match(await nodes(leader!), { ok: true, detail: new RegExp(`^${all} leads, and has a lease for \\d+ s$`) })
  t.match(await nodes(other!), { ok: true, detail: new RegExp(`^${all} has a lease for \\d+ s$`) })
  const metrics = await text(leader!, '/metrics')
  t.match(metrics, /^athanor_nodes\{version="\S+",role="all"\} 2$/m)
  t.match(metrics, /^athanor_nodes_places\{lane="light"\} 8$/m)
  t.match(metrics, /^athanor_nodes_places\{lane="heavy"\} 2$/m)
  t.match(metrics, /^athanor_places\{lane="light"\} 4$/m)
  t.match(metrics, /^athanor_part_up\{part="redis"\} 1$/m)
  t.match(metrics, /^athanor_node_leader 1$/m)
  const lease = Number(/^athanor_node_lease_seconds (.*)$/m.exec(metrics)![1])
  t.ok(lease > 0 && lease <= 11, `${lease} s`)
  const manual = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8')
  const names = (of: string, pattern: RegExp) => [...of.matchAll(pattern)].map(([, name]) => name).sort()
  t.strictSame(names(manual, /^\| `(athanor_\w+)` \|/gm), names(metrics, /^# TYPE (athanor_nodes?_?\w*) /gm))
})

t.test('services that cannot work with them refuse to start', async (t) => {
  const { DATABASE_URL, STORAGE_URL, JWT_SECRET } = cluster.env as Record<string, string>
  const migrations = {
    addNewer: "insert into knex_migrations (name, batch, migration_time) values ('999-newer', 2, now())",
    removeNewer: "delete from knex_migrations where name = '999-newer'",
  }
  const another = { ...cluster.env, JWT_SECRET: 'another secret of thirty-two characters' }
  const alone = { DATABASE_URL, STORAGE_URL, JWT_SECRET } as Record<string, string>
  for (const [env, message, before, after] of [
    [another, /JWT_SECRET: another secret is set on 2 nodes \(on .*\) of this database/],
    [alone, /DATABASE_URL: .* in use by 2 nodes .* Stop them first .* set REDIS_URL/],
    [cluster.env, /newer version/, migrations.addNewer, migrations.removeNewer],
  ] as [Record<string, string>, RegExp, string?, string?][]) {
    if (before) await cluster.rows(before)
    await t.rejects(startService({ env }), { message })
    if (after) await cluster.rows(after)
  }
})

t.test('conversions run once each, on both nodes; wait= answers on the other node', async (t) => {
  const used = new Set<string>()
  // Whoever is free takes a conversion, so a few could all be taken by one node.
  for (let round = 0; round < 10 && used.size < 2; round++) {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => start(both[n % 2]!, { sleep: 200 })))
    const ended = await Promise.all(ids.map((id, n) => finish(both[(n + 1) % 2]!, id)))
    t.ok(ended.every(({ status }) => status === 'completed'))
    for (const { fence, node } of await cluster.rows('select fence, node from conversions')) {
      t.equal(fence, 1, 'claimed once')
      used.add(node)
    }
    for (const each of both) t.equal(await text(each, pathOf(ended[round]!.outputUrl)), 'BUST\nOnce upon a time.')
  }
  t.strictSame([...used].sort(), both.map(nodeIdOf).sort(), 'both nodes worked')
})

async function cancelWherever(t: Test): Promise<void> {
  for (const { id, node } of await running()) {
    const other = both.find((each) => nodeIdOf(each) !== node)!
    t.equal((await call(other, 'DELETE', `/api/conversions/${id}`)).status, 204, 'by the node that does not run it')
  }
  await until(() => both.every(({ kernel }) => kernel.scheduler.running() === 0))
}

t.test('a conversion is cancelled wherever it runs, also while Redis is away', async (t) => {
  const hang = async () => {
    const ids = await Promise.all([0, 1, 2, 3].map((n) => start(both[n % 2]!, { hang: true })))
    await until(async () => (await running()).length === 4)
    return ids
  }
  const ids = await hang()
  await cancelWherever(t)
  ids.push(...(await hang()))
  await withoutRedis(() => cancelWherever(t))
  for (const id of ids) t.match(await finish(one, id), { error: { code: 'CANCELLED' } })
})

t.test('Redis, restarted empty, loses no conversion', async (t) => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => start(one, { sleep: 500 })))
  ids.push(await withoutRedis(() => start(two)))
  for (const id of ids) {
    t.match(await finish(two, id), { status: 'completed' })
    t.equal((await rowOf(id)).fence, 1, 'it was claimed once')
  }
})

t.test('a claim whose answer is lost does not stay with its node, nor with a node that is gone', async (t) => {
  const claimedBy = (node: string) => `status = 'processing', attempts = 1, fence = 1, node = '${node}'`
  // While Redis is away, nobody claims them. Then the records say what a lost answer and a killed node leave behind.
  const [lost, abandoned] = await withoutRedis(async () => {
    const ids = [await start(one), await start(one)] as const
    await cluster.rows(`update conversions set ${claimedBy(nodeIdOf(one))} where id = '${ids[0]}'`)
    await cluster.rows(`update conversions set ${claimedBy('node_gone')} where id = '${ids[1]}'`)
    return ids
  })
  for (const [id, attempts] of [
    [lost, 1],
    [abandoned, 2],
  ] as const) {
    t.match(await finish(two, id), { status: 'completed' })
    t.match(await rowOf(id), { fence: 2, attempts }, 'claimed again; a lost claim is no attempt')
  }
})

t.test('unfinished uploads of a guest are deleted on every node', async (t) => {
  const guest = { 'x-guest-fingerprint': 'guest-with-parts' }
  const place = placeOf(await begin(one, 10, guest))
  t.equal((await head(one, place, guest)).status, 200)
  t.equal((await call(two, 'DELETE', '/api/files/all', { headers: guest })).status, 204)
  await until(async () => (await head(one, place, guest)).status === 404)
})

/** Follows a stream of events as a browser does: if it ends, it opens another one. */
async function follow(t: Test, path: string): Promise<(status: string) => boolean> {
  const streams = [await listen(one, path)]
  const reopen = async (): Promise<void> => {
    await streams.at(-1)!.ended
    streams.push(await listen(one, path))
    return reopen()
  }
  reopen().catch(() => {})
  t.teardown(() => streams.at(-1)!.close())
  return (status) => streams.some(({ heard }) => heard.some(({ data }) => data.status === status))
}

const redisUp = async () => /^athanor_part_up\{part="redis"\} (.)$/m.exec(await text(one, '/metrics'))?.[1]

t.test('readiness finds out that Redis hangs, and the metrics say so', async () => {
  const found = (value: string) =>
    until(async () => {
      await get(one, '/readyz')
      return (await redisUp()) === value
    })
  cluster.redis.pause()
  await found('0').finally(() => cluster.redis.resume())
  await found('1')
})

t.test('clients learn of an end that was not told, because Redis was away', async (t) => {
  const warnings = () => logOf(one).match(/conversions are delivered later/g)?.length ?? 0
  // A failed delivery is logged again only after one has succeeded.
  t.match(await finish(one, await start(one)), { status: 'completed' })
  const before = warnings()
  const saw = await withoutRedis(async () => {
    const { status, json } = await get(one, '/readyz')
    t.equal(await redisUp(), '0')
    const queue = { ok: false, detail: /^Redis does not answer; / }
    t.match({ status, json }, { status: 200, json: { parts: { queue } } })
    await start(one)
    const id = await start(one)
    const saw = await follow(t, `/api/conversions/${id}/events`)
    await until(() => saw('queued'))
    const answer = get(one, `/api/conversions/${id}?wait=30`)
    t.equal((await call(two, 'DELETE', `/api/conversions/${id}`)).status, 204)
    t.match((await answer).json.conversion, { status: 'failed', error: { code: 'CANCELLED' } })
    t.notOk(saw('failed'), 'the stream does not know')
    await until(() => warnings() > before)
    t.equal(warnings(), before + 1, 'logged once, not for each conversion')
    return saw
  })
  await until(() => saw('failed'))
})

t.test('no node takes a conversion for lost that runs on the other one', async (t) => {
  for (const { log } of both) log.length = 0
  // Each node looks every 2 seconds, and counts as lost what it has missed twice. One of the two leads.
  const ids = await Promise.all([1, 2, 3, 4].map(() => start(two, { sleep: 7000 })))
  for (const id of ids) {
    t.match(await finish(one, id), { status: 'completed' })
    t.match(await rowOf(id), { fence: 1, attempts: 1 }, 'claimed once')
  }
  for (const each of both) t.notMatch(logOf(each), /queued again|taken back/)
})
