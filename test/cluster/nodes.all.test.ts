/** Two equal nodes on one MariaDB, one Redis and one shared folder: who runs what, and what holds on both. */
import t from 'tap'
import type { Config } from '../../config/config.ts'
import { startCluster } from '../harness/nodes.ts'
import { call, finish, get, pathOf, post, type Service, startService, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { begin, head, placeOf } from '../http/tus.ts'

t.setTimeout(900_000)

const cluster = await startCluster(t)
const env = { ...cluster.env, NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1' }
const change = ({ plans, queue }: Config) => {
  Object.assign(plans.guest, { pendingJobs: null, conversionsPerDay: null, bytesPerDay: null })
  Object.assign(queue, { workers: 5, heavyWorkers: 1 })
}
const node = async (more: object = {}) =>
  cluster.servers.use(await startService({ env: { ...cluster.env, ...more }, change }))
// Both start at once: one migrates, the other waits for it.
const both = await Promise.all([node(), node()])
const [one, two] = both
const { fileId } = (await upload(one)).json.file
const idOf = ({ log }: Service) => `${log.find(({ msg }) => /joined the nodes/.test(`${msg}`))!.node}`

async function start(service: Service, options: object = {}): Promise<string> {
  const { status, json } = await post(service, '/api/conversions', { fileId, toFormat: 'bust', options })
  if (status !== 201) throw new Error(`start: ${status} ${JSON.stringify(json)}`)
  return json.conversionId
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
    for (const each of both)
      t.equal(`${(await get(each, pathOf(ended[round]!.outputUrl))).body}`, 'BUST\nOnce upon a time.')
  }
  t.strictSame([...used].sort(), both.map(idOf).sort(), 'both nodes worked')
})

t.test('a conversion is cancelled by the node that does not run it', async (t) => {
  const ids = await Promise.all([0, 1, 2, 3].map((n) => start(both[n % 2]!, { hang: true })))
  const running = () => cluster.rows("select id, node from conversions where status = 'processing'")
  await until(async () => (await running()).length === 4)
  for (const { id, node } of await running()) {
    const other = both.find((each) => idOf(each) !== node)!
    t.equal((await call(other, 'DELETE', `/api/conversions/${id}`)).status, 204)
  }
  await until(() => both.every(({ kernel }) => kernel.scheduler.running() === 0))
  for (const id of ids) t.match(await finish(one, id), { error: { code: 'CANCELLED' } })
})

t.test('unfinished uploads of a guest are deleted on every node', async (t) => {
  const guest = { 'x-guest-fingerprint': 'guest-with-parts' }
  const place = placeOf(await begin(one, 10, guest))
  t.equal((await head(one, place, guest)).status, 200)
  t.equal((await call(two, 'DELETE', '/api/files/all', { headers: guest })).status, 204)
  await until(async () => (await head(one, place, guest)).status === 404)
})

t.test('no node takes a conversion for lost that runs on the other one', async (t) => {
  for (const { log } of both) log.length = 0
  // Each node looks every 2 seconds, and counts as lost what it has missed twice. One of the two leads.
  const ids = await Promise.all([1, 2, 3, 4].map(() => start(two, { sleep: 7000 })))
  for (const id of ids) {
    t.match(await finish(one, id), { status: 'completed' })
    const [row] = await cluster.rows(`select fence, attempts from conversions where id = '${id}'`)
    t.match(row, { fence: 1, attempts: 1 }, 'claimed once')
  }
  for (const { log } of both) t.notMatch(JSON.stringify(log), /queued again|taken back/)
})

t.test('clients of production get one allowance from all nodes, also from one that starts again', async (t) => {
  const nodes = [await node(env), await node(env)]
  const asked = async (which: number, address = '192.0.2.1') => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': address }
    const answer = await get(nodes[which % 2]!, '/api/tools?limit=1', headers)
    return { status: answer.status, left: Number(answer.headers.get('ratelimit-remaining')) }
  }
  const left: number[] = []
  for (let n = 0; n < 20; n++) left.push((await asked(n)).left)
  nodes[0] = await node(env)
  for (let n = 0; n < 10; n++) left.push((await asked(n)).left)
  t.strictSame(
    left,
    Array.from({ length: 30 }, (_, n) => 29 - n),
  )
  for (const n of [0, 1]) t.equal((await asked(n)).status, 429)
  t.equal((await asked(0, '192.0.2.2')).status, 200, 'another client')
})
