/** Resumable uploads on two nodes while the database hangs: it takes connections, and does not answer. */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { LOCKED } from '../../kernel/database/tables/resumable-uploads.ts'
import { startCluster } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'
import { checksumOf, createUploads, declared, LATER, MIB, source } from './resumable-uploads.ts'

t.setTimeout(20 * 60_000)

/** Milliseconds of a hang after which a statement has failed and the lease of an upload has ended. */
const LONG = LOCKED + 5000

const cluster = await startCluster(t, { bucket: true })
const one = await cluster.node()
const two = await cluster.node()
const { begin, isWhole, sendSome } = createUploads(cluster)

/** Lets the database hang while `work` runs. */
async function hanging<T>(work: () => Promise<T>): Promise<T> {
  cluster.database.pause()
  try {
    return await work()
  } finally {
    cluster.database.resume()
  }
}

t.test('it hangs for a moment: the part goes on', async (t) => {
  const upload = await begin(one, LATER)
  const { sent, answer } = await sendSome(upload, one, 10 * MIB, declared(source.length))
  await hanging(async () => {
    sent.end(source.subarray(10 * MIB))
    await delay(3000)
  })
  await isWhole(t, await answer)
})

for (const [what, length, checksum] of [
  ['a part', declared(source.length), undefined],
  ['a part of an upload without a length', LATER, undefined],
  ['a part with a checksum', declared(source.length), checksumOf(source)],
] as const) {
  t.test(`it hangs for longer than a statement may take, in the middle of ${what}`, async (t) => {
    const upload = await begin(one, length)
    const { sent, answer } = upload.open(one, 0, source.length, checksum)
    sent.write(source.subarray(0, 10 * MIB))
    await until(async () => (await upload.pieces()).length > 0)
    const { status, headers, json } = await hanging(async () => {
      sent.end(source.subarray(10 * MIB))
      await delay(LONG)
      return answer
    })
    t.match({ status, json }, { status: 503, json: { error: { code: 'NOT_READY' } } })
    t.ok(Number(headers['retry-after']) > 0)
    const offset = await upload.offset(two)
    t.ok(checksum ? offset === 0 || offset === source.length : offset % (8 * MIB) === 0, `${offset} bytes have arrived`)
    const last = length === LATER ? declared(source.length) : {}
    await isWhole(t, await upload.send(two, offset, source.length, last))
  })
}

t.test('it hangs while the last byte arrives', async (t) => {
  const upload = await begin(one)
  t.equal((await upload.send(one, 0, 17 * MIB)).status, 204)
  const { sent, answer } = upload.open(one, 17 * MIB, source.length - 17 * MIB)
  sent.write(source.subarray(17 * MIB, -1))
  const locked = `select locked_until from resumable_uploads where id = '${upload.name}'`
  await until(async () => (await cluster.count(locked)) > 0)
  const { status } = await hanging(async () => {
    sent.end(source.subarray(-1))
    await delay(LONG)
    return answer
  })
  t.equal(status, 503)
  const offset = await upload.offset(two)
  await isWhole(t, await upload.send(two, offset))
})

t.test('requests about an upload are refused while it hangs, and it goes on afterwards', async (t) => {
  const upload = await begin(one)
  t.equal((await upload.send(one, 0, 9 * MIB)).status, 204)
  const removed = await begin(one)
  const answers = await hanging(() =>
    Promise.all([upload.send(one, 9 * MIB), upload.send(two, 9 * MIB), upload.file(two), removed.remove(one)]),
  )
  t.strictSame(
    answers.map((answer) => (typeof answer === 'number' ? answer : answer.status)),
    [503, 503, 503, 503],
  )
  // The server may still run what it got while it hung, so it may be removed.
  t.ok([204, 404].includes(await removed.remove(two)))
  t.equal(await upload.offset(two), 9 * MIB)
  await isWhole(t, await upload.send(one, 9 * MIB))
})
