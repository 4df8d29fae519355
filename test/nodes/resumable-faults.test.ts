/** Resumable uploads on two nodes and an S3 server, while connections and nodes break. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { createClient } from '../../client/client.ts'
import { TUS } from '../http/tus.ts'
import type { Fault } from '../services/faulty-proxy.ts'
import { startRoundRobin } from '../services/round-robin.ts'
import { until } from './cluster.ts'
import { type FaultyNode, startFaultyCluster } from './faulty.ts'

t.setTimeout(60 * 60_000)

const MIB = 1024 ** 2
const cluster = await startFaultyCluster(t)
const [one, two] = [await cluster.node(), await cluster.node()]
/** Two whole pieces, and a bit more. */
const source = Buffer.concat([Buffer.from('STUB\n'), randomBytes(18 * MIB)])
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  json: any
}

const declared = (size: number) => ({ 'upload-length': `${size}` })

/** One upload, and requests about it to any node. */
async function begin(node: FaultyNode, size = source.length, length: Record<string, string> = declared(size)) {
  const headers = { ...TUS, ...length, 'upload-metadata': `filename ${btoa('a.stub')}` }
  const begun = await fetch(`${node.base}/api/uploads/tus`, { method: 'POST', headers })
  const name = begun.headers.get('location')!.split('/').at(-1)!
  const path = `/api/uploads/tus/${name}`

  /** Begins to send bytes from an offset on. */
  function open(
    { base }: FaultyNode,
    offset: number,
    length: number,
  ): { sent: ClientRequest; answer: Promise<Answer> } {
    const sent = request(base + path, {
      method: 'PATCH',
      agent: false,
      headers: {
        ...{ ...TUS, 'content-type': 'application/offset+octet-stream' },
        ...{ 'upload-offset': offset, 'content-length': length },
      },
    })
    const answer = (async () => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const body = await text(response)
      return { status: response.statusCode!, headers: response.headers, json: body && JSON.parse(body) }
    })()
    // A broken one is seen by those who wait for it.
    answer.catch(() => {})
    sent.on('error', () => {})
    return { sent, answer }
  }

  return {
    ...{ name, path, open },
    /** Sends bytes, and waits for the answer. */
    async send(node: FaultyNode, offset: number, end = size): Promise<Answer> {
      const { sent, answer } = open(node, offset, end - offset)
      sent.end(source.subarray(offset, end))
      return answer
    },
    /** Asks how much has arrived. Asks again while another request holds the upload. */
    async offset({ base }: FaultyNode): Promise<number> {
      let answer = await fetch(base + path, { method: 'HEAD', headers: TUS })
      await until(async () => {
        if (answer.status === 503) answer = await fetch(base + path, { method: 'HEAD', headers: TUS })
        return answer.status !== 503
      })
      if (answer.status !== 200) throw new Error(`HEAD: ${answer.status}`)
      return Number(answer.headers.get('upload-offset'))
    },
    /** Bytes that the database counts. */
    received: () => cluster.count(`select received from resumable_uploads where id like '%/${name}'`),
    /** Objects of the pieces. */
    pieces: async () => (await cluster.objects()).filter((key) => key.includes(name)),
  }
}

type Begun = Awaited<ReturnType<typeof begin>>

/** The stored file is the source; its bytes are charged once, and nothing else is stored. */
async function isWhole(t: Test, { status, json }: Answer): Promise<void> {
  t.equal(status, 200, JSON.stringify(json))
  t.equal(digest(await cluster.read(json.file.fileId)), digest(source))
  await nothingElse(t)
}

/** Only what records name is stored and charged. */
async function nothingElse(t: Test): Promise<void> {
  const files = await cluster.rows('select `key`, size, sha256 from files')
  const keys = files.map(({ key }) => key).sort()
  await until(async () => (await cluster.objects()).length === keys.length).catch(() => {})
  t.strictSame((await cluster.objects()).sort(), keys, 'only what records name is stored')
  const open = 'select coalesce(sum(reserved), 0) from resumable_uploads'
  const charged = await cluster.count('select coalesce(max(bytes), 0) from stored_bytes')
  const expected = files.reduce((sum, { size }) => sum + Number(size), 0) + (await cluster.count(open))
  t.equal(charged, expected, 'each byte is charged once')
  t.equal(await cluster.count('select count(*) from resumable_pieces where counts = 1'), 0)
}

/** Sends the first `bytes` to a node, and waits until a piece of them counts. The request stays open. */
async function sendSome(upload: Begun, node: FaultyNode, bytes: number) {
  const { sent, answer } = upload.open(node, 0, source.length)
  sent.write(source.subarray(0, bytes))
  await until(async () => (await upload.received()) > 0)
  return { sent, answer }
}

t.test('a client uploads through a balancer that sends each request to another node', async (t) => {
  await using balancer = await startRoundRobin(one.base, two.base)
  const client = createClient({ url: balancer.base }, { above: MIB, size: 3 * MIB })
  const { file } = await client.upload(new Blob([source]), 'a.stub')
  await isWhole(t, { status: 200, headers: {}, json: { file } })
  const patches = balancer.seen.filter(({ method }) => method === 'PATCH')
  t.equal(new Set(patches.map(({ target }) => target)).size, 2)
  t.ok(patches.length >= 6)
})

t.test('many small parts become few pieces', async (t) => {
  const upload = await begin(one)
  // One of 256 parts, one of 16, and 15.
  const parts = 256 + 16 + 15
  for (let n = 0; n < parts; n++) await upload.send(n % 2 ? one : two, n * 1000, (n + 1) * 1000)
  t.equal(await upload.received(), parts * 1000)
  const count = (await upload.pieces()).length
  t.ok(count < 25, `${parts} parts are ${count} pieces`)
  await isWhole(t, await upload.send(two, parts * 1000))
})

t.test('a body that is cut continues on the other node', async (t) => {
  const upload = await begin(one)
  const { sent } = await sendSome(upload, one, 9 * MIB)
  sent.destroy()
  const offset = await upload.offset(two)
  t.ok(offset >= 8 * MIB && offset <= 9 * MIB, `${offset} bytes have arrived`)
  const second = upload.open(two, offset, source.length - offset)
  // Another piece, and a bit of a third one.
  second.sent.write(source.subarray(offset, offset + 8 * MIB + 1000))
  await until(async () => (await upload.received()) > offset)
  second.sent.destroy()
  const rest = await upload.offset(one)
  t.ok(rest >= offset + 8 * MIB && rest < source.length, `${rest} bytes have arrived`)
  await isWhole(t, await upload.send(one, rest))
})

t.test('a newer request on another node takes over from one whose client does not go on', async (t) => {
  const upload = await begin(one)
  const { sent, answer } = await sendSome(upload, one, 10 * MIB)
  const offset = await upload.offset(two)
  t.ok(offset >= 8 * MIB && offset <= 10 * MIB, `${offset} bytes have arrived`)
  await isWhole(t, await upload.send(two, offset))
  sent.destroy()
  await answer.catch(() => {})
})

t.test('of two requests with the same part on two nodes, one wins', async (t) => {
  const upload = await begin(one)
  const half = 9 * MIB
  /** Sends the part until the node says that it, or the other one, has arrived. */
  async function insist(node: FaultyNode) {
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

t.test('an upload is given up on the other node, while a part arrives', async (t) => {
  const upload = await begin(one)
  const { sent, answer } = await sendSome(upload, one, 10 * MIB)
  t.ok((await upload.pieces()).length)
  const { status } = await fetch(two.base + upload.path, { method: 'DELETE', headers: TUS })
  t.equal(status, 204)
  await t.rejects(upload.offset(one), { message: 'HEAD: 404' })
  t.equal((await upload.send(two, 0, 1000)).status, 404)
  sent.destroy()
  await answer.catch(() => {})
  await nothingElse(t)
})

t.test('all files of a guest are deleted on the other node, while a part arrives', async (t) => {
  const upload = await begin(one)
  const { answer } = await sendSome(upload, one, 10 * MIB)
  t.equal((await fetch(`${two.base}/api/files/all`, { method: 'DELETE' })).status, 204)
  await t.rejects(upload.offset(one), { message: 'HEAD: 404' })
  t.match(await answer.catch(() => ({ status: 0 })), { status: 409 }, 'it is told that it cannot go on')
  await until(async () => !(await cluster.rows('select 1 from files')).length)
  await nothingElse(t)
})

t.test('a node is stopped in the middle of a part, and wakes when another one has finished', async (t) => {
  const upload = await begin(one)
  // The answer to its second piece does not come, so it is stored and does not count.
  one.proxy.fault = ({ method, url }) =>
    method === 'PUT' && url!.includes(`${upload.name}/${8 * MIB}-`) ? { stall: 0 } : undefined
  const { sent, answer } = await sendSome(upload, one, 17 * MIB)
  await until(async () => (await upload.pieces()).length === 2)
  process.kill(one.pid, 'SIGSTOP')
  let finished: Answer
  try {
    const offset = await upload.offset(two)
    t.equal(offset, 8 * MIB, 'what counts')
    finished = await upload.send(two, offset)
    t.equal(finished.status, 200)
    sent.end(source.subarray(17 * MIB))
  } finally {
    process.kill(one.pid, 'SIGCONT')
  }
  t.match(await answer.catch(() => ({ status: 0 })), { status: 409 }, 'the late one is told that it was too late')
  one.proxy.fault = () => undefined
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
  process.kill(one.pid, 'SIGSTOP')
  let finished: Answer | undefined
  try {
    await until(async () => {
      const answer = await fetch(two.base + upload.path)
      finished = { status: answer.status, headers: {}, json: await answer.json() }
      return answer.status !== 503
    })
  } finally {
    process.kill(one.pid, 'SIGCONT')
  }
  one.proxy.fault = () => undefined
  t.ok([200, 503].includes((await late).status))
  await isWhole(t, finished!)
  const made = await cluster.rows(`select 1 from files where size = ${source.length}`)
  const again = await (await fetch(one.base + upload.path)).json()
  t.strictSame(again, finished!.json, 'the late node gives the same answer')
  t.ok(made.length)
})

/** Breaks requests of one node to S3 about the objects of an upload, or of any. Call the result to end that. */
function breakStorage({ proxy }: FaultyNode, methods: readonly string[], fault: Fault, path = '/parts/') {
  proxy.fault = ({ method, url }) => (methods.includes(method!) && url!.includes(path) ? fault : undefined)
  return () => void (proxy.fault = () => undefined)
}

t.test('the storage refuses a part and the file, and later takes them', async (t) => {
  const upload = await begin(one)
  const mend = [breakStorage(one, ['PUT'], { status: 503 }), breakStorage(two, ['PUT'], 'lose', '/uploads/')]
  t.match(await upload.send(one, 0), { status: 503, json: { error: { code: 'NOT_READY' } } })
  t.equal(await upload.offset(two), 0)
  t.strictSame(await upload.pieces(), [])
  t.match(await upload.send(two, 0), { status: 503 }, 'the parts arrive, and no file can be stored')
  t.equal(await upload.offset(one), source.length)
  for (const each of mend) each()
  breakStorage(one, ['GET'], { cut: MIB })
  const answer = await fetch(one.base + upload.path)
  one.proxy.fault = () => undefined
  await isWhole(t, { status: answer.status, headers: {}, json: await answer.json() })
})

t.test('a part that cannot be stored is charged once, also while the length is not known', async (t) => {
  const upload = await begin(one, source.length, { 'upload-defer-length': '1' })
  const mend = breakStorage(one, ['PUT'], { status: 503 })
  for (let attempt = 0; attempt < 2; attempt++) t.equal((await upload.send(one, 0, MIB)).status, 503)
  const reserved = () => cluster.count(`select reserved from resumable_uploads where id like '%/${upload.name}'`)
  t.equal(await reserved(), MIB)
  mend()
  t.equal((await upload.send(two, 0, 2 * MIB)).status, 204)
  t.equal(await reserved(), 2 * MIB)
  t.equal((await fetch(one.base + upload.path, { method: 'DELETE', headers: TUS })).status, 204)
  await nothingElse(t)
})

t.test('an upload without a length is removed while a piece of it is charged', async (t) => {
  // The first bytes of an owner would be charged in a second transaction.
  const other = await begin(two)
  const upload = await begin(one, source.length, { 'upload-defer-length': '1' })
  const { sent, answer } = upload.open(one, 0, MIB)
  sent.flushHeaders()
  const where = `where id like '%/${upload.name}'`
  await until(async () => (await cluster.count(`select locked_until from resumable_uploads ${where}`)) > 0)
  const remover = await cluster.connect()
  try {
    // As withdrawResumable does, and not committed yet.
    await remover.query('start transaction')
    await remover.query(`update resumable_uploads set outcome = '"removed"', fence = fence + 1 ${where}`)
    sent.end(source.subarray(0, MIB))
    const waiting = "where info like '%set reserved = reserved%' and id <> connection_id()"
    await until(async () => (await cluster.count(`select count(*) from information_schema.processlist ${waiting}`)) > 0)
    await remover.query('commit')
  } finally {
    await remover.end()
  }
  t.equal((await answer).status, 409)
  await nothingElse(t)
  t.equal((await fetch(one.base + other.path, { method: 'DELETE', headers: TUS })).status, 204)
})

t.test('all files of a guest are deleted while the storage is away', async (t) => {
  const upload = await begin(one)
  await upload.send(one, 0, 9 * MIB)
  const mend = breakStorage(two, ['DELETE'], { status: 503 })
  t.equal((await fetch(`${two.base}/api/files/all`, { method: 'DELETE' })).status, 204)
  await t.rejects(upload.offset(one), { message: 'HEAD: 404' })
  const open = 'select count(*) from files where expires_at > 0'
  t.equal(await cluster.count(open), 0, 'the files expire, too')
  mend()
  const kept = `select count(*) from resumable_uploads where id like '%/${upload.name}'`
  await until(async () => (await cluster.count(kept)) === 0)
  await until(async () => !(await cluster.rows('select 1 from files')).length)
  await nothingElse(t)
})

t.test('the database restarts in the middle of a part', async (t) => {
  const upload = await begin(one)
  const { sent, answer } = await sendSome(upload, one, 10 * MIB)
  await cluster.database.stop()
  sent.end(source.subarray(10 * MIB))
  const { status } = await answer.catch(() => ({ status: 0 }))
  t.ok([0, 500, 503].includes(status), `${status}`)
  await cluster.database.start()
  const offset = await upload.offset(two)
  t.ok(offset >= 8 * MIB && offset < source.length, `${offset} bytes have arrived`)
  await isWhole(t, await upload.send(two, offset))
})

t.test('a node is killed in the middle of a part, and another one continues', async (t) => {
  const upload = await begin(one)
  await sendSome(upload, one, 10 * MIB)
  await one.end('SIGKILL')
  const offset = await upload.offset(two)
  t.ok(offset >= 8 * MIB && offset <= 10 * MIB, `${offset} bytes have arrived`)
  await isWhole(t, await upload.send(two, offset))
})

t.test('an expired upload leaves nothing', async (t) => {
  const upload = await begin(two)
  await upload.send(two, 0, 9 * MIB)
  t.equal((await upload.pieces()).length, 2)
  await cluster.rows(`update resumable_uploads set expires_at = 1 where id like '%/${upload.name}'`)
  t.match(await upload.send(two, 9 * MIB), { status: 404 })
  const rows = () => cluster.count(`select count(*) from resumable_uploads where id like '%/${upload.name}'`)
  // The leader may have to notice first that the one before is gone.
  await until(async () => (await rows()) === 0)
  await nothingElse(t)
})
