/** Daily quotas: charges and refunds. Concurrent requests: `admission.test.ts`. */
import type { Test } from 'tap'
import { ConversionFailure } from '../../kernel/errors.ts'
import { guestOwner, type Owner } from '../../kernel/people/owner.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { until } from '../harness/until.ts'

const patience = new AbortController().signal
const user = (name: string, plan: Owner['plan'] = 'free'): Owner => ({
  id: `user_${name}`,
  kind: 'user',
  plan,
  chargeTo: [`user_${name}`],
  client: `user_${name}`,
})
const DAY = 86_400_000

onBothDatabases(async (t: Test, databaseUrl) => {
  await t.test(
    'guests of one address share what it has, whichever fingerprints they show, and the other way',
    async (t) => {
      const { upload, start, quotas } = await setUp(t, databaseUrl, ({ plans }) => {
        plans.guest = { ...plans.guest, conversionsPerDay: 3, pendingJobs: null }
      })
      const ask = async (guest: Owner) => {
        const { key: fileId } = await upload(guest)
        return start(guest, { fileId, toFormat: 'upp' })
      }
      const crowd = Array.from({ length: 6 }, (_, n) => guestOwner('192.0.2.1', `print-${n}`))
      const answers = await Promise.allSettled(crowd.map(ask))
      t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 3, 'one address')
      const traveller = Array.from({ length: 6 }, (_, n) => guestOwner(`198.51.100.${n}`, 'the-same'))
      const travels = await Promise.allSettled(traveller.map(ask))
      t.equal(travels.filter(({ status }) => status === 'fulfilled').length, 3, 'one fingerprint')
      for (const [name, guest] of Object.entries({
        'another fingerprint': guestOwner('192.0.2.1', 'fresh'),
        'none at all': guestOwner('192.0.2.1', undefined),
        'another address': guestOwner('203.0.113.9', 'the-same'),
      })) {
        await t.rejects(ask(guest), { code: 'QUOTA_EXCEEDED' }, `${name} refills nothing`)
      }
      t.ok((await ask(guestOwner('203.0.113.9', 'fresh'))).conversionId, 'both new: another guest')
      t.equal((await quotas.usage(guestOwner('192.0.2.1', 'fresh'))).conversionsToday, 3)
      for (const [a, b] of [
        ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
        ['::ffff:192.0.2.7', '192.0.2.7'],
      ] as const) {
        t.strictSame(guestOwner(a, 'x').chargeTo, guestOwner(b, 'x').chargeTo, `${a} is ${b}`)
      }
      t.notSame(guestOwner('2001:db8:1:2::1', 'x').chargeTo, guestOwner('2001:db8:1:3::1', 'x').chargeTo)
    },
  )

  await t.test('refused requests are not charged, and the quota is checked before the queue', async (t) => {
    const { upload, start, quotas, records, database, config } = await setUp(t, databaseUrl, ({ plans }) => {
      plans.free = { ...plans.free, conversionsPerDay: 3, bytesPerDay: 100, pendingJobs: 2 }
      plans.pro = { ...plans.pro, conversionsPerDay: 0 }
    })
    const alice = user('alice')
    const bob = user('bob', 'pro')
    const { key: fileId } = await upload(alice)
    const ask = (more: object = {}) => start(alice, { fileId, toFormat: 'upp', options: { hold: true }, ...more })
    await t.rejects(ask({ options: { zzz: 1 } }), { code: 'UNKNOWN_OPTION' })
    await t.rejects(ask({ fileSize: config.plans.free.maxFileSize! + 1 }), { code: 'FILE_TOO_LARGE' })
    await t.rejects(ask({ fileSize: 101 }), { code: 'QUOTA_EXCEEDED', message: /100|MB/ }, 'by what is claimed')
    await ask({ fileSize: 90 })
    t.same(await quotas.usage(alice), { conversionsToday: 1, bytesToday: 5 }, 'charged is what the source has')
    await ask()
    await t.rejects(ask(), { code: 'QUEUE_FULL_USER' })
    t.same(await quotas.usage(alice), { conversionsToday: 2, bytesToday: 10 }, 'a full queue costs nothing')
    await database('quota_use').update({ conversions: 3 })
    await t.rejects(ask(), { code: 'QUOTA_EXCEEDED' }, 'before QUEUE_FULL_USER')
    t.equal(await records.countPending(alice), 2)
    const { key } = await upload(bob)
    await t.rejects(start(bob, { fileId: key, toFormat: 'upp' }), { code: 'QUOTA_EXCEEDED' }, 'a plan of none')
    t.same(await database('quota_use').where({ subject: bob.id }), [], 'leaves no row')
    t.equal(Number((await database('conversions').count({ n: '*' }))[0]!.n), 2, 'and no record')
  })

  await t.test('a plan without limits is charged and never refused', async (t) => {
    const { upload, start, quotas } = await setUp(t, databaseUrl, ({ plans }) => {
      plans.guest = { ...plans.guest, conversionsPerDay: null, bytesPerDay: null, pendingJobs: null, maxFileSize: null }
    })
    const guest = guestOwner('192.0.2.1', 'a')
    const { key: fileId } = await upload(guest)
    for (let n = 0; n < 15; n++) await start(guest, { fileId, toFormat: 'upp', fileSize: 1e15 })
    t.same(await quotas.usage(guest), { conversionsToday: 15, bytesToday: 75 })
  })

  await t.test('what the service or the engine could not do is refunded once, a completed one never', async (t) => {
    const service = await setUp(t, databaseUrl)
    const { upload, start, quotas, records, files } = service
    const alice = guestOwner('192.0.2.1', 'a')
    const used = async () => (await quotas.usage(alice)).conversionsToday
    const { key: fileId } = await upload(alice)
    const begin = async (options: Record<string, unknown> = {}) =>
      (await start(alice, { fileId, toFormat: 'upp', options })).conversionId

    const refused = await begin({ refuse: true })
    t.match(await records.wait(alice, refused, 60, patience), { status: 'failed' })
    t.equal(await used(), 0, 'refused by its engine')
    await records.remove(alice, refused)
    t.equal(await used(), 0, 'deleting it afterwards changes nothing')

    const completed = await begin()
    await records.wait(alice, completed, 60, patience)
    t.same(await quotas.usage(alice), { conversionsToday: 1, bytesToday: 5 })
    await records.remove(alice, completed)
    t.equal(await used(), 1, 'deleting a completed one gives nothing back')

    const inStatus = (status: string) => service.database('conversions').where({ status }).pluck('id')
    /** Two of them run, as many as a service runs of one owner, as if since this time. */
    async function beginThree(claimed_at: number) {
      const ids = [await begin({ hold: true }), await begin({ hold: true }), await begin({ hold: true })]
      await until(async () => (await inStatus('processing')).length === 2)
      await service.database('conversions').where({ status: 'processing' }).update({ claimed_at })
      return ids
    }
    await beginThree(Date.now() + DAY)
    const cancelled = [...(await inStatus('queued')), ...(await inStatus('processing'))]
    for (const id of cancelled) await records.remove(alice, id)
    t.equal(await used(), 1, 'cancelled when they had hardly begun')

    const held = await beginThree(0)
    t.equal(await used(), 4)
    const waiting = (await inStatus('queued'))[0]!
    await Promise.all([waiting, waiting].map((id) => records.remove(alice, id).catch(() => {})))
    t.equal(await used(), 3, 'cancelled while it waited, twice at one time')
    const running = held.filter((id) => id !== waiting)
    await Promise.all([...running, ...running].map((id) => records.remove(alice, id).catch(() => {})))
    t.equal(await used(), 3, 'cancelled while they ran')

    await beginThree(0)
    await files.remove(alice, fileId)
    t.equal(await used(), 5, 'the one that waited for its file is given back, two run on')
    for (const subject of alice.chargeTo) {
      t.match(
        await service.database('quota_use').where({ subject }).first(),
        { conversions: 5 },
        'address and fingerprint',
      )
    }
    await records.removeAll(alice)
    t.equal(await used(), 5, 'deleting everything gives nothing back of what runs')
  })

  await t.test('what used up its time or its memory is charged, also as a part of a batch', async (t) => {
    const thrown: Error[] = []
    const before = async () => {
      const error = thrown.shift()
      if (error) throw error
    }
    const { upload, start, batches, quotas, records } = await setUp(t, databaseUrl, undefined, { before })
    const alice = user('alice')
    const { key: fileId } = await upload(alice)
    const used = async () => (await quotas.usage(alice)).conversionsToday
    const end = async (id: string) => (await records.wait(alice, id, 60, patience)).error?.code
    const fail = async (error: Error) => {
      thrown.push(error)
      return end((await start(alice, { fileId, toFormat: 'upp' })).conversionId)
    }
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
    t.equal(await fail(full), 'RESOURCE_LIMIT')
    t.equal(await used(), 0, 'the disk of the service is full')
    t.equal(await fail(new Error('a bug')), 'INTERNAL_SERVER_ERROR')
    t.equal(await used(), 0)
    t.equal(await fail(new ConversionFailure('RESOURCE_LIMIT', 'It used more memory than allowed')), 'RESOURCE_LIMIT')
    t.equal(await used(), 1)
    t.equal(await fail(new ConversionFailure('TIMEOUT', 'It took too long')), 'TIMEOUT')
    t.equal(await used(), 2)
    thrown.push(new ConversionFailure('TIMEOUT', 'It took too long'), new ConversionFailure('CONVERSION_ERROR', 'No'))
    const file = { fileId, fileName: 'a.low', fileSize: 5, fromFormat: 'low' }
    const { conversions } = await batches.start(alice, { files: [file, file], toFormat: 'upp' })
    const codes = await Promise.all(conversions.map((item) => end((item as { conversionId: string }).conversionId)))
    t.strictSame(codes.sort(), ['CONVERSION_ERROR', 'TIMEOUT'])
    t.same(await quotas.usage(alice), { conversionsToday: 3, bytesToday: 15 })
  })

  await t.test('days are in UTC; refunds go to the day of the charge', async (t) => {
    const { upload, start, quotas, records, database } = await setUp(t, databaseUrl)
    const alice = user('alice')
    const { key: fileId } = await upload(alice)
    const options = { hold: true }
    for (let n = 0; n < 3; n++) await start(alice, { fileId, toFormat: 'upp', options })
    const waiting = () => database('conversions').where({ status: 'queued' }).pluck('id')
    await until(async () => (await waiting()).length === 1)
    const [id] = await waiting()
    const midnight = Math.ceil(Date.now() / DAY) * DAY
    t.equal((await quotas.usage(alice, midnight - 1)).conversionsToday, 3)
    t.same(await quotas.usage(alice, midnight), { conversionsToday: 0, bytesToday: 0 })
    // As if it had been accepted yesterday.
    await database('conversions').update({ created_at: Date.now() - DAY })
    await database('quota_use').update({ day: Math.floor(Date.now() / DAY) - 1 })
    await start(alice, { fileId, toFormat: 'upp', options })
    await records.remove(alice, id!)
    t.equal((await quotas.usage(alice, Date.now() - DAY)).conversionsToday, 2)
    t.equal((await quotas.usage(alice)).conversionsToday, 1)
    t.equal(await quotas.sweep(Date.now(), 10), 0, 'yesterday is kept')
    t.equal(await quotas.sweep(Date.now() + DAY, 10), 1)
    t.equal((await quotas.usage(alice)).conversionsToday, 1)
  })
})
