/** Faults around the service: disk, descriptors. It reports them, continues, and recovers. */
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { installation, leftovers } from '../harness/installation.ts'
import type { Service } from '../harness/program.ts'
import { until } from '../harness/until.ts'

const readiness = async (service: Service) => {
  const answer = await fetch(`${service.base}/readyz`)
  return { status: answer.status, text: await answer.text() }
}

const root = process.getuid?.() === 0

t.test('a full disk', { skip: !root && 'only root may mount' }, async (t) => {
  const { dataDir, live } = await installation(t)
  await mkdir(dataDir)
  const limits = { freeDisk: '4MB', disk: '500MB' }
  const through = ['sh', join(import.meta.dirname, 'full-disk.sh'), '48', dataDir]
  const service = await live({ limits }, {}, through)
  // The disk is visible only inside the service's namespace.
  const inside = `/proc/${service.pid}/root${dataDir}`
  const free = async () => {
    const { bavail, bsize } = await statfs(inside)
    return bavail * bsize
  }
  const filler = join(inside, 'filler')
  const fill = async (left: number) => {
    // Another process may take the last pages.
    await writeFile(filler, Buffer.alloc(Math.max(0, (await free()) - left))).catch(() => {})
    await writeFile(`${filler}-rest`, Buffer.alloc(left ? 0 : 4096)).catch(() => {})
  }
  const { fileId } = await service.upload('STUB\ntext', 'a.stub')
  const ready = async (t: Test) => {
    t.equal((await readiness(service)).status, 200, 'it is ready')
    t.match(await service.finish(await service.start(fileId, 'bust')), { status: 'completed' }, 'it works again')
  }

  await t.test('before the first byte', async (t) => {
    await fill(2_000_000)
    await t.rejects(service.upload('STUB\nmore', 'b.stub'), { message: /503.*STORAGE_FULL/ })
    const start = await service.call('POST', '/api/conversions', { fileId, toFormat: 'bust' })
    t.match(start, { status: 503, json: { error: { code: 'STORAGE_FULL' } } })
    t.match(await readiness(service), { status: 200, text: /storage.*full/ })
    await rm(filler)
    await ready(t)
  })
  await t.test('during an upload', async (t) => {
    await fill(6_000_000)
    await t.rejects(service.upload(`STUB\n${'x'.repeat(12_000_000)}`, 'b.stub'), { message: /503.*STORAGE_FULL/ })
    t.same(await leftovers(inside), [], 'nothing of it is kept')
    await rm(filler)
    await ready(t)
  })
  await t.test('while a conversion writes', async (t) => {
    const id = await service.start(fileId, 'bust', { write: 200, sleep: 2000 })
    t.match(await service.finish(id), { status: 'failed', error: { code: 'RESOURCE_LIMIT' } })
    await ready(t)
  })
  await t.test('while ends of conversions cannot be recorded', async (t) => {
    const ids = [
      await service.start(fileId, 'bust', { sleep: 1500 }),
      await service.start(fileId, 'bust', { sleep: 1500, fail: 'refuse' }),
    ]
    await delay(500)
    await fill(0)
    await delay(4000)
    t.equal((await fetch(`${service.base}/healthz`)).status, 200, 'it lives')
    await rm(filler)
    const [first, second] = await Promise.all(ids.map((id) => service.finish(id)))
    // There may have been no room for its result. Both conversions end without a restart.
    t.match(first, { status: /completed|failed/ })
    if (first.status === 'failed') t.match(first.error, { code: 'RESOURCE_LIMIT' })
    t.match(second, { status: 'failed', error: { code: /CONVERSION_ERROR|RESOURCE_LIMIT/ } })
    await ready(t)
  })
  await until(async () => (await leftovers(inside)).length === 0)
  t.notMatch(service.log(), /"level":60|uncaught/)
  t.equal(await service.end('SIGTERM'), 0)
})

t.test('no free descriptors', async (t) => {
  const { live } = await installation(t)
  const service = await live({}, {}, ['prlimit', '--nofile=1024:1024'])
  const { fileId } = await service.upload('STUB\ntext', 'a.stub')
  const port = Number(new URL(service.base).port)
  const sockets = Array.from({ length: 1300 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  const taken = async () => (await readdir(`/proc/${service.pid}/fd`)).length
  await until(async () => (await taken()) >= 1000)
  const starts = Array.from({ length: 10 }, () => service.start(fileId, 'bust').catch(() => undefined))
  for (const socket of sockets) socket.destroy()
  // It is ready by itself.
  await until(async () => (await readiness(service).catch(() => ({ status: 0 }))).status === 200)
  await Promise.all(starts)
  t.match(await service.finish(await service.start(fileId, 'bust')), { status: 'completed' })
  const { json } = await service.call('GET', '/api/conversions?limit=200')
  for (const { id } of json.conversions) {
    const { status, error } = await service.finish(id)
    t.ok(status === 'completed' || error.code === 'INTERNAL_SERVER_ERROR', `${status} ${error?.code}`)
  }
  t.equal(await service.end('SIGTERM'), 0)
})
