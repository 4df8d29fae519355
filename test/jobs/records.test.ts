import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listPendingOf } from '../../kernel/database/tables/conversions.ts'
import type { RecordChange } from '../../kernel/events/changes.ts'
import { recover } from '../../kernel/jobs/recovery.ts'
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

  await t.test('an end whose answer was lost is recorded once, and told', async (t) => {
    let lost = false
    async function ended(): Promise<void> {
      if (lost) return
      lost = true
      throw Object.assign(new Error('the answer is lost'), { code: 'PROTOCOL_CONNECTION_LOST' })
    }
    const { upload, start, records, changes, storedBytes } = await setUp(t, databaseUrl, undefined, { ended })
    const told: RecordChange[] = []
    changes.follow((change) => told.push(change))
    const { key: fileId } = await upload(alice)
    const { conversionId: conversion } = await start(alice, { fileId, toFormat: 'upp' })
    const ends = () => told.filter((change) => change.conversion === conversion && !change.progress && !change.begun)
    await until(() => ends().length > 0)
    t.match(await records.get(alice, conversion), { status: 'completed', outputSize: 5 })
    t.equal(await storedBytes.used(alice), 10, 'the result is charged once')
    t.strictSame(ends(), [{ owner: alice.id, conversion, batch: null }])
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

  await t.test('bytes that cannot be removed do not keep those of other expired rows', async (t) => {
    const { upload, start, records, files, storage, database } = await setUp(t, databaseUrl)
    const { remove } = storage
    const stuck = new Set<string>()
    storage.remove = (key) => (stuck.has(key) ? Promise.reject(new Error('away')) : remove(key))
    for (let n = 1; n <= 3; n++) {
      const { key } = await upload(alice)
      const { conversionId } = await start(alice, { fileId: key, toFormat: 'upp' })
      const { outputKey } = await records.wait(alice, conversionId, 60, patience)
      await database('files').where({ key }).update({ expires_at: n })
      await database('conversions').where({ id: conversionId }).update({ expires_at: n })
      if (n === 1) for (const each of [key, outputKey!]) stuck.add(each)
    }
    for (const [name, part] of Object.entries({ files, conversions: records })) {
      for (const tried of [2, 1, 0]) t.equal(await part.sweep(Date.now(), 2), tried, name)
      t.strictSame((await database(name).pluck('expires_at')).map(Number), [1], 'the first one is left')
    }
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

  await t.test('the queries use an index', async (t) => {
    const { database, url } = await setUp(t, databaseUrl)
    const queries = [
      database('conversions').where({ owner: 'x' }).andWhere('id', '<', 'y').orderBy('id', 'desc').limit(10),
      database('conversions').whereIn('owner', ['x', 'y']).andWhere('id', '<', 'y').orderBy('id', 'desc').limit(10),
      database('conversions').where({ owner: 'x' }).whereIn('status', ['queued', 'processing']).count(),
      database('users').where('email', 'x'),
      database('identities').where({ issuer: 'x', subject: 'y' }),
      database('api_keys').where({ user_id: 'x' }).orderBy('id'),
      database('api_keys').where({ hash: 'x' }),
      database('api_keys').where('expires_at', '<=', 1).orderBy('expires_at').limit(10),
      database('password_resets').where({ user_id: 'x' }).andWhere('expires_at', '>', 1),
      database('password_resets').where('expires_at', '<=', 1).orderBy('expires_at').limit(10),
      database('audit').where('id', '>', 'x').orderBy('id').limit(100),
      database('audit').where('at', '<=', 1).orderBy('at').limit(100),
      database('conversions').where({ owner: 'x', status: 'failed' }).orderBy('id', 'desc').limit(10),
      database('conversions').where({ status: 'queued' }).orderBy('id').select('id'),
      database('conversions').where({ output_key: 'x' }).first(),
      database('conversions').where({ source_key: 'x', status: 'queued' }),
      database('conversions').where('expires_at', '<=', 1).orderBy('expires_at').limit(10),
      database('files').where('expires_at', '<=', 1).orderBy('expires_at').limit(10),
      database('quota_use').whereIn('subject', ['x', 'y']).andWhere({ day: 1 }),
      database('quota_use').where('day', '<', 1).select('subject', 'day').limit(10),
      database('conversions').where({ batch: 'x' }).orderBy('id'),
      database('team_members').where({ user_id: 'x' }).andWhere('team', '<', 'y').orderBy('team', 'desc').limit(10),
      database('team_members').where({ team: 'x', user_id: 'y' }).first('role'),
      database('teams').where({ owner: 'x' }),
      database('team_invitations').where({ team: 'x' }).andWhere('expires_at', '>', 1).orderBy('email').limit(10),
      database('team_invitations').where('email', 'x').andWhere('expires_at', '>', 1).orderBy('id', 'desc').limit(10),
      database('team_invitations').where('expires_at', '<=', 1).orderBy('expires_at').limit(10),
      database('batches').leftJoin('conversions', 'conversions.batch', 'batches.id').where('batches.id', 'x'),
      database('batches').where('expires_at', '<=', 1).orderBy('expires_at').limit(10),
    ]
    for (const query of queries) {
      const sql = query.toQuery()
      const plan = url ? (await database.raw(`explain ${sql}`))[0] : await database.raw(`explain query plan ${sql}`)
      if (url)
        t.ok(
          // A unique key without a row is looked up during planning.
          plan.every((row: any) => row.key || /const table/.test(row.Extra)),
          `${sql}: ${plan.map((row: any) => row.key)}`,
        )
      else
        t.ok(
          // The index finds the rows of two owners, which are sorted afterwards.
          plan.every((row: any) => /USING (COVERING )?INDEX|^USE TEMP B-TREE FOR ORDER BY$/.test(row.detail)),
          `${sql}: ${plan[0].detail}`,
        )
    }
  })
}

onBothDatabases(suite)
