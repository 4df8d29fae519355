/** Storage quotas, on both databases: concurrent uploads, and counts that always match the records. */
import type { Test } from 'tap'
import { guestOwner, type Owner } from '../../kernel/people/owner.ts'
import { type ConversionService, onBothDatabases, setUp } from '../harness/conversions.ts'

const patience = new AbortController().signal
const user: Owner = { id: 'user_a', kind: 'user', plan: 'free', chargeTo: ['user_a'], client: 'user_a' }

/** Stored bytes of each subject according to the records, next to the count. */
async function compare(t: Test, database: ConversionService['database'], message: string) {
  const wanted: Record<string, number> = {}
  const rows = [
    ...(await database('files').select('charged_to', { bytes: 'size' })),
    ...(await database('conversions').where({ status: 'completed' }).select('charged_to', { bytes: 'output_size' })),
  ]
  for (const { charged_to, bytes } of rows) {
    for (const subject of charged_to.split(' ')) wanted[subject] = (wanted[subject] ?? 0) + Number(bytes)
  }
  const counted = (await database('stored_bytes')).map(({ subject, bytes }) => [subject, Number(bytes)])
  t.same(Object.fromEntries(counted), wanted, message)
}

onBothDatabases(async (t, databaseUrl) => {
  await t.test('concurrent uploads store exactly what fits', async (t) => {
    const { upload, storedBytes, database, files } = await setUp(t, databaseUrl, ({ plans }) => {
      plans.guest.storedBytes = 35
    })
    const crowd = Array.from({ length: 30 }, (_, n) => guestOwner('192.0.2.1', `print-${n % 3}`))
    const answers = await Promise.allSettled(crowd.map((guest) => upload(guest)))
    t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 7)
    t.ok(answers.every((each) => each.status === 'fulfilled' || each.reason.code === 'QUOTA_EXCEEDED'))
    t.equal(await storedBytes.used(guestOwner('192.0.2.1', 'fresh')), 35)
    await compare(t, database, 'after many uploads')
    const kept = await database('files').select('key', 'owner')
    const owner = (id: string) => crowd.find((guest) => guest.id === id)!
    await Promise.all([...kept, ...kept].map(({ key, owner: id }) => files.remove(owner(id), key).catch(() => {})))
    await files.sweep(Date.now() + 1e12, 100)
    t.same(await database('stored_bytes'), [], 'removed twice at one time: given back once, and no row stays')
  })

  await t.test(
    'uploads, results, refusals, deletions and sweeps at one time leave counts that are right',
    async (t) => {
      const { upload, start, records, files, database } = await setUp(t, databaseUrl, ({ plans }) => {
        Object.assign(plans.free, { storedBytes: 60, conversionsPerDay: null, pendingJobs: null })
      })
      const { key: fileId } = await upload(user)
      const one = async (n: number) => {
        const { conversionId } = await start(user, { fileId, toFormat: 'upp', options: { refuse: n % 5 === 0 } })
        await records.wait(user, conversionId, 20, patience)
        if (n % 2) await records.remove(user, conversionId)
      }
      await Promise.allSettled([...Array.from({ length: 9 }, (_, n) => one(n)), upload(user), upload(user)])
      await compare(t, database, 'in the middle')
      await Promise.all([records.sweep(Date.now() + 1e12, 100), records.sweep(Date.now() + 1e12, 100)])
      await files.sweep(Date.now() + 1e12, 100)
      t.same(await database('stored_bytes'), [])
    },
  )
})
