import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listPendingOf } from '../../kernel/database/tables/conversions.ts'
import { recover } from '../../kernel/jobs/recovery.ts'
import { NeedsHeavy } from '../../kernel/jobs/steps.ts'
import { guestOwner } from '../../kernel/people/owner.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { isStored } from '../harness/stored.ts'
import { until } from '../harness/until.ts'

async function suite(t: Test, databaseUrl: () => Promise<string | undefined>) {
  const alice = guestOwner('192.0.2.1', 'a')
  const patience = new AbortController().signal
  await t.test('from upload to download', async (t) => {
    const { upload, start, records, files, downloadable, storage } = await setUp(t, databaseUrl)
    const file = await upload(alice, 'lower', 'Grüße/../nice name.low')
    t.match(file, { name: 'nice name.low', mime: 'text/x-low', size: 5, format: 'low', category: 'letters' })
    t.match(file.key, /^uploads\/\d{4}\/\d\d\/\d\d\/[0-9a-f]{32}\/nice-name\.low$/)
    const { conversionId, ...queue } = await start(alice, {
      fileId: file.key,
      toFormat: 'UPP',
      fileName: 'other.name.low',
    })
    t.match(conversionId, /^conv_[0-9a-f]{12}7[0-9a-f]{19}$/)
    t.same(queue, { queued: false, queueDepth: 0 })
    const done = await records.wait(alice, conversionId, 60, patience)
    t.match(done, {
      status: 'completed',
      progress: 100,
      fromFormat: 'low',
      toFormat: 'upp',
      name: 'other.name',
      sourceSize: 5,
      outputSize: 5,
      error: undefined,
    })
    const item = (await downloadable(conversionId))!
    t.match(item, { owner: alice.id, name: 'other.name.upp', mime: 'text/x-upp', size: 5, key: done.outputKey })
    t.same(await downloadable(done.outputKey!), item, 'by its key too')
    t.equal(await text(files.open(item)), 'LOWER')
    t.equal(await text(files.open(item, { start: 1, end: 2 })), 'OW')
    await records.remove(alice, conversionId)
    await t.rejects(records.get(alice, conversionId), { code: 'NOT_FOUND' })
    t.equal(await downloadable(done.outputKey!), undefined)
    t.notOk(await isStored(storage, done.outputKey!))
  })

  await t.test('checks in this order: file, format, options, size, places', async (t) => {
    const { upload, start, scheduler, config } = await setUp(t, databaseUrl)
    const { key: fileId } = await upload(alice)
    const refused = (more: object, code: string) =>
      t.rejects(start(alice, { fileId, toFormat: 'upp', ...more }), { code })
    await refused({ fileId: 'uploads/none', toFormat: 'x' }, 'NOT_FOUND')
    await refused({ toFormat: 'x', options: { zzz: 1 } }, 'UNSUPPORTED_FORMAT')
    await refused({ toFormat: 'low', options: { zzz: 1 } }, 'SAME_FORMAT_NOOP')
    await refused({ options: { hold: 1, zzz: 1 }, fileSize: 9e9 }, 'UNKNOWN_OPTION')
    await refused({ options: { hold: 1 }, fileSize: 9e9 }, 'INVALID_OPTIONS')
    await refused({ fileSize: config.plans.guest.maxFileSize! + 1 }, 'FILE_TOO_LARGE')
    const held = await Promise.all(
      Array.from({ length: 5 }, () => start(alice, { fileId, toFormat: 'upp', options: { hold: true } })),
    )
    t.same(held.map(({ queued }) => queued).sort(), [false, false, true, true, true])
    await refused({}, 'QUEUE_FULL_USER')
    await refused({ fileSize: 9e9 }, 'FILE_TOO_LARGE')
    t.equal(scheduler.depth(), 3, 'refused requests leave nothing')
  })

  await t.test('a checked-out source is given back, however its conversion ends', async (t) => {
    const { upload, start, records, scheduler, checkedOut } = await setUp(t, databaseUrl)
    const { key: fileId } = await upload(alice)
    const begin = async (options: Record<string, boolean>, fileName = 'a.low') =>
      (await start(alice, { fileId, toFormat: 'upp', options, fileName })).conversionId
    const ended = async (id: string) => (await records.wait(alice, id, 60, patience)).status
    t.equal(await ended(await begin({})), 'completed')
    t.equal(await ended(await begin({ refuse: true })), 'failed')
    t.equal(await ended(await begin({}, 'a.upp')), 'completed', 'start compares the content with another name')
    const held = await begin({ hold: true })
    await until(() => checkedOut().length > 0)
    await records.remove(alice, held)
    await until(() => scheduler.running() === 0)
    t.same(checkedOut(), [])
  })

  await t.test(
    'a light one that turns out to be heavy runs again as such, and its first run does not count',
    async (t) => {
      let attempts = 0
      const before = async () => {
        if (++attempts === 1) throw new NeedsHeavy()
      }
      const { upload, start, database } = await setUp(t, databaseUrl, undefined, { before })
      const { key: fileId } = await upload(alice)
      const { conversionId: id } = await start(alice, { fileId, toFormat: 'upp' })
      const read = () => database('conversions').where({ id }).first()
      await until(async () => !['queued', 'processing'].includes((await read()).status))
      t.match(await read(), { status: 'completed', attempts: 1, fence: 2, heavy: 1 })
      t.equal(attempts, 2)
    },
  )

  await t.test('deleting an upload cancels waiting conversions and lets running ones finish', async (t) => {
    const { upload, start, records, files } = await setUp(t, databaseUrl)
    const { key: fileId } = await upload(alice)
    const hold = { fileId, toFormat: 'upp', options: { hold: true } }
    const first = await start(alice, hold)
    await start(alice, hold)
    const third = await start(alice, hold)
    await files.remove(alice, fileId)
    await t.rejects(files.find(alice, fileId), { code: 'NOT_FOUND' })
    t.match(await records.get(alice, third.conversionId), { status: 'failed', error: { code: 'CANCELLED' } })
    t.match(await records.get(alice, first.conversionId), { status: 'processing' })
  })

  await t.test('deleting everything starts nothing that waits', async (t) => {
    const { upload, start, records, scheduler, runs, database } = await setUp(t, databaseUrl)
    const { key: fileId } = await upload(alice)
    for (let n = 0; n < 5; n++) await start(alice, { fileId, toFormat: 'upp', options: { hold: true } })
    await until(() => runs() >= 2)
    const pending = await listPendingOf(database, [alice.id])
    t.equal(pending.map(({ status }) => status).join(' '), 'queued queued queued processing processing')
    await records.removeAll(alice)
    await until(() => scheduler.running() === 0)
    t.equal(runs(), 2)
  })

  await t.test('a service that ends leaves its work to the next, at most three times', async (t) => {
    const first = await setUp(t, databaseUrl)
    const { key: fileId } = await first.upload(alice)
    const options = { hold: true }
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await first.start(alice, { fileId, toFormat: 'upp', options })).conversionId)
    await until(() => first.runs() >= 2)
    // After a crash, the records stay as they are. One of these conversions has been started three times.
    await first.database('conversions').where({ id: ids[0]! }).update({ attempts: 3, progress: 40 })
    await first.database('conversions').where({ id: ids[1]! }).update({ options: '{}', progress: 40 })
    const next = await first.another()
    t.equal(await recover({ ...next, end: next.conclude }, patience), 2)
    t.match(await next.records.get(alice, ids[0]!), { status: 'failed', error: { code: 'INTERNAL_SERVER_ERROR' } })
    t.match(await next.records.wait(alice, ids[1]!, 60, patience), { status: 'completed' })
    t.same(await next.quotas.usage(alice), { conversionsToday: 2, bytesToday: 10 }, 'one of three was given up')
    // An orderly shutdown hands conversions back without counting a start.
    await until(async () => (await next.records.get(alice, ids[2]!)).status === 'processing')
    await next.scheduler.close(0)
    t.match(await next.database('conversions').where({ id: ids[2]! }).first(), { status: 'queued', attempts: 0 })
  })

  await t.test('expired files are inaccessible at once, and the next sweep removes their bytes', async (t) => {
    const { upload, start, records, files, storage, database, config, downloadable } = await setUp(t, databaseUrl)
    const file = await upload(alice)
    const { conversionId } = await start(alice, { fileId: file.key, toFormat: 'upp' })
    const { outputKey } = await records.wait(alice, conversionId, 60, patience)
    const expiry = async (name: string) => Number((await database(name).first()).expires_at) - Date.now()
    for (const name of ['files', 'conversions']) {
      const left = await expiry(name)
      t.ok(
        left > config.retention.guest - 600_000 && left <= config.retention.guest,
        `${name} live as long as a guest's`,
      )
      await database(name).update({ expires_at: Date.now() - 1 })
    }
    await t.rejects(files.find(alice, file.key), { code: 'NOT_FOUND' })
    await t.rejects(records.get(alice, conversionId), { code: 'NOT_FOUND' })
    t.same((await records.list(alice, { limit: 9 })).conversions, [])
    t.equal(await downloadable(conversionId), undefined)
    t.ok((await isStored(storage, file.key)) && (await isStored(storage, outputKey!)))
    t.equal(await files.sweep(Date.now(), 10), 1)
    t.equal(await records.sweep(Date.now(), 10), 1)
    t.notOk((await isStored(storage, file.key)) || (await isStored(storage, outputKey!)))
    t.equal(Number((await database('conversions').count({ n: '*' }))[0]!.n), 0)
    t.equal(await files.sweep(Date.now(), 10), 0)
  })

  await t.test('an unrecognised file is refused and leaves nothing behind', async (t) => {
    const { files, database } = await setUp(t, databaseUrl)
    const staged = await files.stage(
      await files.expect(alice, 0),
      Readable.from([Buffer.from([1, 2, 3, 0, 255])]),
      patience,
    )
    await t.rejects(files.admit(alice, staged, 'a.low'), { code: 'UNSUPPORTED_FORMAT' })
    t.same(await database('files'), [])
    const cut = new AbortController()
    const source = new Readable({ read() {} })
    source.push('l')
    const failing = files.stage(await files.expect(alice, 0), source, cut.signal)
    cut.abort()
    await t.rejects(failing)
  })
}

onBothDatabases(suite)
