/** Resumable uploads with a checksum, or a length that comes later, which another node takes over in the middle of a part. */
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'
import { checksumOf, createUploads, declared, LATER, MIB, source } from './resumable-uploads.ts'

t.setTimeout(20 * 60_000)

const cluster = await startCluster(t, { bucket: true })
let [one, two] = [await cluster.node(), await cluster.node()]
const { begin, isWhole, nothingElse, sendSome } = createUploads(cluster)

t.test('no length is known, and the client goes on at another node', async (t) => {
  const upload = await begin(one, LATER)
  const { sent, answer } = await sendSome(upload, one, 10 * MIB)
  const offset = await upload.offset(two)
  t.ok(offset >= 8 * MIB && offset <= 10 * MIB, `${offset} bytes have arrived`)
  t.equal((await upload.send(two, offset, offset + 5 * MIB)).status, 204)
  t.equal(await upload.reserved(), offset + 5 * MIB, 'each byte is charged once')
  await isWhole(t, await upload.send(one, offset + 5 * MIB, source.length, declared(source.length)))
  sent.destroy()
  await answer.catch(() => {})
})

t.test('the length comes with a part that another node finishes', async (t) => {
  const upload = await begin(two, LATER)
  const { sent, answer } = await sendSome(upload, one, 10 * MIB, declared(source.length))
  t.equal(await upload.reserved(), source.length, 'all of it is charged from then on')
  const offset = await upload.offset(two)
  t.match(await upload.send(two, offset, source.length, declared(source.length + 1)), { status: 400 }, 'it is fixed')
  await isWhole(t, await upload.send(two, offset, source.length, declared(source.length)))
  sent.destroy()
  await answer.catch(() => {})
})

t.test('the node with a part of unknown length is killed; the next part ends earlier', async (t) => {
  const upload = await begin(one, LATER)
  // Its second piece is charged and never counts.
  one.proxy.fault = ({ method, url }) =>
    method === 'PUT' && url!.includes(`${upload.name}/${8 * MIB}-`) ? { stall: 0 } : undefined
  await sendSome(upload, one, 17 * MIB)
  await until(async () => (await upload.reserved()) === 16 * MIB)
  await one.end('SIGKILL')
  t.equal(await upload.offset(two), 8 * MIB)
  const { status, json } = await upload.send(two, 8 * MIB, 9 * MIB, declared(9 * MIB))
  t.match({ status, json }, { status: 200, json: { file: { size: 9 * MIB } } })
  await nothingElse(t)
  one = await one.again()
})

t.test('all bytes have arrived, and only their number comes to another node', async (t) => {
  const upload = await begin(one, LATER)
  t.equal((await upload.send(one, 0)).status, 204)
  await isWhole(t, await upload.send(two, source.length, source.length, declared(source.length)))
})

/** Begins a part with a checksum, and waits until a piece of it is stored. */
async function sendChecked(upload: Awaited<ReturnType<typeof begin>>, bytes: number) {
  const { sent, answer } = upload.open(one, 0, source.length, checksumOf(source))
  sent.write(source.subarray(0, bytes))
  await until(async () => (await upload.pieces()).length > 0)
  return { sent, answer }
}

t.test('a part with a checksum counts as a whole, also when another node takes over', async (t) => {
  const upload = await begin(one)
  const { sent, answer } = await sendChecked(upload, 10 * MIB)
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

t.test('a node is killed in the middle of a part with a checksum', async (t) => {
  const upload = await begin(one)
  await sendChecked(upload, 17 * MIB)
  await one.end('SIGKILL')
  t.equal(await upload.offset(two), 0)
  await isWhole(t, await upload.send(two, 0, source.length, checksumOf(source)))
  one = await one.again()
})

t.test(
  'a node is stopped in the middle of a part with a checksum, and wakes when another one has gone on',
  async (t) => {
    const upload = await begin(one, LATER)
    const { sent, answer } = await sendChecked(upload, 17 * MIB)
    process.kill(one.pid, 'SIGSTOP')
    try {
      t.equal(await upload.offset(two), 0)
      t.equal((await upload.send(two, 0, 9 * MIB, checksumOf(source.subarray(0, 9 * MIB)))).status, 204)
      sent.end(source.subarray(17 * MIB))
    } finally {
      process.kill(one.pid, 'SIGCONT')
    }
    t.match(await answer.catch(() => ({ status: 0 })), { status: 409 }, 'the late one is told that it was too late')
    t.equal(await upload.offset(one), 9 * MIB)
    await isWhole(t, await upload.send(one, 9 * MIB, source.length, declared(source.length)))
  },
)
