import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { installation, rowsIn } from './harness/installation.ts'
import { stubEngines } from './harness/processes.ts'
import type { Service } from './harness/program.ts'
import { until } from './harness/until.ts'
import { begin, head, placeOf, TUS } from './http/tus.ts'

/** An installation whose records can be read while no service runs. */
async function setUp(t: Test) {
  const made = await installation(t)
  return { ...made, rows: (table?: string) => rowsIn(made.dataDir, table) }
}

const statuses = async (service: Service, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await service.call('GET', `/api/conversions/${id}`)).json.conversion.status))

/** Waits until so many of the conversions are processing. */
async function untilProcessing(service: Service, ids: string[], count: number) {
  const enough = async () => (await statuses(service, ids)).filter((status) => status === 'processing').length >= count
  await until(enough)
}

t.test('a job whose source was removed while it ran says so if it must run again', async (t) => {
  const { live, rows } = await setUp(t)
  const first = await live({ shutdown: { grace: '300ms' } })
  const { fileId } = await first.upload('STUB\ntext', 'a.stub')
  const id = await first.start(fileId, 'bust', { sleep: 8000 })
  // It has its source in its sandbox.
  await until(() => stubEngines(first.pid).length > 0)
  t.equal((await first.call('DELETE', `/api/files/${fileId}`)).status, 204)
  t.same(await statuses(first, [id]), ['processing'], 'it goes on')
  t.equal(await first.end('SIGTERM'), 0)
  t.match(rows(), [{ status: 'queued' }])
  const error = { code: 'CANCELLED', message: 'The source file was removed or has expired' }
  t.match(await (await live()).finish(id), { status: 'failed', error })
})

t.test('a job that crashes the service twice is not run a third time, its neighbours are', async (t) => {
  const { live, rows } = await setUp(t)
  let id = ''
  let neighbour = ''
  for (let life = 1; life <= 2; life++) {
    const service = await live()
    if (!id) {
      const { fileId } = await service.upload('STUB\ntext', 'a.stub')
      id = await service.start(fileId, 'bust', { hang: true })
      neighbour = await service.start(fileId, 'bust', { sleep: 8000 })
      await untilProcessing(service, [id, neighbour], 2)
    } else await untilProcessing(service, [id], 1)
    await service.end('SIGKILL')
    t.match(rows(), [
      { id, status: 'processing', attempts: life },
      // Interrupted jobs run one at a time, so that another job is not blamed for a second crash.
      { id: neighbour, status: life === 1 ? 'processing' : 'queued', attempts: 1 },
    ])
    t.match(rows('quota_use'), [{ conversions: 2 }], 'each is charged once in all its lives')
  }
  const last = await live()
  t.match(await last.finish(id), { status: 'failed', error: { code: 'INTERNAL_SERVER_ERROR', message: /twice/ } })
  t.match(await last.finish(neighbour), { status: 'completed' })
  t.match(rows(), [
    { id, attempts: 2 },
    { id: neighbour, attempts: 2 },
  ])
  t.match(rows('quota_use'), [{ conversions: 1, bytes: 9 }], 'and the quota of the one is given back')
})

t.test('killed repeatedly while it stores, the count of stored bytes matches the records', async (t) => {
  const { live, rows } = await setUp(t)
  for (let life = 0; life < 3; life++) {
    const service = await live()
    const { fileId } = await service.upload('STUB\ntext', 'a.stub')
    const busy = Array.from({ length: 12 }, async (_, n) => {
      const { fileId: own } = await service.upload(`STUB\n${'x'.repeat(n * 1000)}`, 'b.stub')
      const id = await service.start(fileId, 'bust', { sleep: n * 20 })
      if (n % 3 === 0) await service.call('DELETE', `/api/files/${encodeURIComponent(own)}`)
      await service.finish(id)
      if (n % 2) await service.call('DELETE', `/api/conversions/${id}`)
    })
    const over = Promise.allSettled(busy)
    await delay(150 + life * 250)
    await service.end('SIGKILL')
    await over
  }
  const sizes = [...rows('files').map(({ size }) => size), ...rows().map(({ output_size }) => output_size ?? 0)]
  const counted = rows('stored_bytes').map(({ bytes }) => bytes)
  t.same(counted, [sizes.reduce((sum, size) => sum + size)], `${sizes.length} records`)
})

t.test('killed in the middle of a resumable upload: what has arrived stays, and the rest follows', async (t) => {
  const { dataDir, live, rows } = await setUp(t)
  const bytes = Buffer.concat([Buffer.from('STUB\n'), Buffer.alloc(400_000, 'x')])
  const first = await live()
  const place = placeOf(await begin(first as never, bytes.length))
  const part = (service: Service, offset: number) =>
    request(`${service.base}${place}`, {
      method: 'PATCH',
      headers: {
        ...TUS,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': offset,
        'content-length': bytes.length - offset,
      },
    })
  // A part that never ends.
  const endless = part(first, 0).on('error', () => {})
  endless.write(bytes.subarray(0, 200_000))
  await until(async () => rows('resumable_uploads')[0].received >= 150_000)
  await first.end('SIGKILL')
  const second = await live()
  const offset = Number((await head(second as never, place)).headers.get('upload-offset'))
  t.ok(offset >= 150_000 && offset <= 200_000, `${offset} bytes are there`)
  const [answer] = await once(part(second, offset).end(bytes.subarray(offset)), 'response')
  t.equal(answer.statusCode, 200)
  const { file } = JSON.parse(await text(answer))
  t.equal(file.size, bytes.length)
  const stored = await readFile(join(dataDir, 'files', file.fileId))
  t.ok(stored.equals(bytes), 'not a byte is different')
})
