/**
 * Resumable uploads on two nodes and an S3 server, while connections, nodes and servers break, and when another node
 * takes over in the middle of a part.
 */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { LOCKED } from '../../kernel/database/tables/resumable-uploads.ts'
import { type ClusterNode, startCluster } from '../harness/nodes.ts'
import type { Fault } from '../harness/servers/faulty-proxy.ts'
import { until } from '../harness/until.ts'
import { type Answer, checksumOf, createUploads, declared, LATER, MIB, source } from './resumable-uploads.ts'

t.setTimeout(60 * 60_000)

const cluster = await startCluster(t, { bucket: true })
let one = await cluster.node()
const two = await cluster.node()
const { begin, isWhole, nothingElse, sendSome } = createUploads(cluster)
type Upload = Awaited<ReturnType<typeof begin>>

/** Breaks requests of one node to S3 that contain a path. Call the result to end that. */
function breakStorage({ proxy }: ClusterNode, wanted: string, fault: Fault, path = '/parts/') {
  proxy.fault = ({ method, url }) => (method === wanted && url!.includes(path) ? fault : undefined)
  return () => {
    proxy.fault = () => undefined
  }
}

/** Sends two pieces to a node, the second of which is stored and never counts. */
async function sendUncounted(upload: Upload) {
  const mend = breakStorage(one, 'PUT', { stall: 0 }, `${upload.name}/${8 * MIB}-`)
  const sent = await sendSome(upload, one, 17 * MIB)
  await until(async () => (await upload.pieces()).length === 2)
  return { ...sent, mend }
}

/** Stops the first node while `work` runs. */
async function whileStopped<T>(work: () => Promise<T>): Promise<T> {
  process.kill(one.pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(one.pid, 'SIGCONT')
  }
}

t.test('a body that is cut continues on the other node', async (t) => {
  const upload = await begin(one)
  const { sent } = await sendSome(upload, one, 9 * MIB)
  sent.destroy()
  const offset = await upload.offset(two)
  t.ok(offset >= 8 * MIB && offset <= 9 * MIB, `${offset} bytes have arrived`)
  await isWhole(t, await upload.send(two, offset))
})

t.test('of two requests with the same part on two nodes, one wins', async (t) => {
  const upload = await begin(one)
  const half = 9 * MIB
  /** Sends the part until the node says that it, or the other one, has arrived. */
  async function insist(node: ClusterNode) {
    let answer = await upload.send(node, 0, half)
    // The other one may hold the upload for long, on a busy machine.
    await until(async () => {
      if (answer.status === 503) answer = await upload.send(node, 0, half)
      return answer.status !== 503
    })
    return answer.status
  }
  const statuses = await Promise.all([insist(one), insist(two)])
  // The second one stops the first one, which may have stored only a part of it, or nothing.
  t.ok(statuses.every((status) => [204, 409].includes(status)) && statuses.includes(204), statuses.join())
  const offset = await upload.offset(one)
  t.equal(await upload.received(), offset)
  t.ok(offset > 0 && offset <= half, `${offset} bytes have arrived`)
  await isWhole(t, await upload.send(one, offset))
})

for (const all of [false, true]) {
  const what = all ? 'all files of a guest are deleted' : 'it is given up'
  t.test(`${what} on the other node, while a part arrives`, async (t) => {
    const upload = await begin(one)
    const { sent, answer } = await sendSome(upload, one, 10 * MIB)
    // What is left of one that was given up is removed when it expires.
    const mend = breakStorage(two, 'DELETE', { status: 503 }, all ? '/' : 'none')
    const remove = async () => (await fetch(`${two.base}/api/files/all`, { method: 'DELETE' })).status
    t.equal(await (all ? remove() : upload.remove(two)), 204)
    await t.rejects(upload.offset(one), { message: 'HEAD: 404' })
    t.equal((await upload.send(two, 0, 1000)).status, 404)
    mend()
    if (!all) sent.destroy()
    const told = await answer.catch(() => ({ status: 0 }))
    if (all) t.match(told, { status: 409 }, 'it is told that it cannot go on')
    if (all) await until(async () => !(await cluster.rows('select 1 from files')).length)
    await nothingElse(t)
  })
}

t.test('a node is stopped in the middle of a part, and wakes when another one has finished', async (t) => {
  const upload = await begin(one)
  const { sent, answer, mend } = await sendUncounted(upload)
  const finished = await whileStopped(async () => {
    t.equal(await upload.offset(two), 8 * MIB, 'what counts')
    const finished = await upload.send(two, 8 * MIB)
    sent.end(source.subarray(17 * MIB))
    return finished
  })
  t.match(await answer.catch(() => ({ status: 0 })), { status: 409 }, 'the late one is told that it was too late')
  mend()
  await isWhole(t, finished)
  t.equal(await upload.received(), source.length)
})

t.test('a node is stopped while it makes the file, and another one makes it', async (t) => {
  const upload = await begin(one)
  await upload.send(two, 0, 17 * MIB)
  let asked = false
  one.proxy.fault = ({ url }) => {
    if (!url!.includes('/uploads/')) return undefined
    asked = true
    return { stall: 0 }
  }
  const late = upload.send(one, 17 * MIB)
  late.catch(() => {})
  await until(async () => asked)
  let finished: Answer | undefined
  await whileStopped(() =>
    until(async () => {
      finished = await upload.file(two)
      return finished?.status !== 503
    }),
  )
  one.proxy.fault = () => undefined
  t.ok([200, 503].includes((await late).status))
  await isWhole(t, finished!)
  t.strictSame((await upload.file(one)).json, finished!.json, 'the late node gives the same answer')
})

t.test('the storage refuses a part and the file, and later takes them', async (t) => {
  const upload = await begin(one)
  const mend = [breakStorage(one, 'PUT', { status: 503 }), breakStorage(two, 'PUT', 'lose', '/uploads/')]
  t.match(await upload.send(one, 0), { status: 503, json: { error: { code: 'NOT_READY' } } })
  t.equal(await upload.offset(two), 0)
  t.strictSame(await upload.pieces(), [])
  t.match(await upload.send(two, 0), { status: 503 }, 'the parts arrive, and no file can be stored')
  t.equal(await upload.offset(one), source.length)
  for (const each of mend) each()
  const whole = breakStorage(one, 'GET', { cut: MIB })
  const answer = await upload.file(one)
  whole()
  await isWhole(t, answer)
})

t.test('an upload without a length is removed while a piece of it is charged', async (t) => {
  // The first bytes of an owner would be charged in a second transaction.
  const other = await begin(two)
  const upload = await begin(one, LATER)
  const { sent, answer } = upload.open(one, 0, MIB)
  sent.flushHeaders()
  const where = `where id = '${upload.name}'`
  await until(async () => (await cluster.count(`select locked_until from resumable_uploads ${where}`)) > 0)
  const remover = await cluster.connect()
  try {
    // As withdrawResumable does, and not committed yet.
    await remover.query('start transaction')
    await remover.query(`update resumable_uploads set outcome = '"removed"', fence = fence + 1 ${where}`)
    sent.end(source.subarray(0, MIB))
    const waiting = "where info like '%set `received`%' and id <> connection_id()"
    await until(async () => (await cluster.count(`select count(*) from information_schema.processlist ${waiting}`)) > 0)
    await remover.query('commit')
  } finally {
    await remover.end()
  }
  t.equal((await answer).status, 409)
  await nothingElse(t)
  t.equal(await other.remove(one), 204)
})

t.test('the node with a part of unknown length is killed; the next part ends earlier', async (t) => {
  const upload = await begin(one, LATER)
  const { mend } = await sendUncounted(upload)
  await one.end('SIGKILL')
  mend()
  t.equal(await upload.offset(two), 8 * MIB)
  t.equal((await upload.send(two, 8 * MIB, 9 * MIB)).status, 204)
  const { status, json } = await upload.send(two, 9 * MIB, 9 * MIB, declared(9 * MIB))
  t.match({ status, json }, { status: 200, json: { file: { size: 9 * MIB } } }, 'only the length was missing')
  await nothingElse(t)
  one = await one.again()
})

t.test('a part with a checksum counts as a whole, also when another node takes over', async (t) => {
  const upload = await begin(one)
  const { sent, answer } = upload.open(one, 0, source.length, checksumOf(source))
  sent.write(source.subarray(0, 10 * MIB))
  await until(async () => (await upload.pieces()).length > 0)
  t.equal(await upload.offset(two), 0)
  t.match(await answer, { status: 460 }, 'the older one had not all of it')
  sent.destroy()
  t.strictSame(await upload.pieces(), [], 'what was not checked is removed')
  const half = source.subarray(0, 9 * MIB)
  t.match(await upload.send(two, 0, half.length, checksumOf(source)), { status: 460 })
  t.equal((await upload.send(two, 0, half.length, checksumOf(half))).status, 204)
  const rest = source.subarray(half.length)
  t.match(await upload.send(one, half.length, source.length, checksumOf(half)), { status: 460 })
  t.equal(await upload.offset(two), half.length)
  await isWhole(t, await upload.send(one, half.length, source.length, checksumOf(rest)))
})

for (const [what, length, checksum] of [
  ['a part', declared(source.length), undefined],
  ['a part of an upload without a length', LATER, undefined],
  ['a part with a checksum', declared(source.length), checksumOf(source)],
] as const) {
  t.test(`the database hangs for longer than a statement may take, in the middle of ${what}`, async (t) => {
    const upload = await begin(one, length)
    const { sent, answer } = upload.open(one, 0, source.length, checksum)
    sent.write(source.subarray(0, 10 * MIB))
    await until(async () => (await upload.pieces()).length > 0)
    cluster.database.pause()
    try {
      sent.end(source.subarray(10 * MIB))
      // A statement has failed then, and the lease of the upload has ended.
      await delay(LOCKED + 5000)
      t.match(await answer, { status: 503, json: { error: { code: 'NOT_READY' } } })
      t.equal((await upload.send(two, 0)).status, 503, 'refused on every node')
    } finally {
      cluster.database.resume()
    }
    const offset = await upload.offset(two)
    t.ok(checksum ? offset === 0 || offset === source.length : offset % (8 * MIB) === 0, `${offset} bytes have arrived`)
    const last = length === LATER ? declared(source.length) : {}
    await isWhole(t, await upload.send(two, offset, source.length, last))
  })
}
