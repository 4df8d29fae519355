/** In which lane an accepted conversion waits. */
import { guestOwner } from '../../kernel/accounts/owner.ts'
import { NeedsHeavy } from '../../kernel/conversions/steps.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { until } from '../harness/until.ts'

const alice = guestOwner('192.0.2.1', 'a')
const bob = guestOwner('192.0.2.2', 'b')
const options = { heavy: true, hold: true }

onBothDatabases(async (t, databaseUrl) => {
  await t.test('the file of a heavy one says that it is light; that of a refused one is not read', async (t) => {
    const service = await setUp(t, databaseUrl, ({ plans }) => {
      plans.guest = { ...plans.guest, pendingJobs: 1 }
    })
    const { key: light } = await service.upload(alice, 'light')
    const { key: heavy } = await service.upload(bob, 'lower')
    const heavyOf = async (id: string) => Number((await service.database('conversions').where({ id }).first()).heavy)
    const first = await service.start(alice, { fileId: light, toFormat: 'upp', options })
    t.equal(await heavyOf(first.conversionId), 0)
    t.equal(service.looks(), 1)
    await t.rejects(service.start(alice, { fileId: light, toFormat: 'upp', options }), { code: 'QUEUE_FULL_USER' })
    t.equal(service.looks(), 1)
    t.equal(await heavyOf((await service.start(bob, { fileId: heavy, toFormat: 'upp', options })).conversionId), 1)
    t.equal(service.looks(), 2)
    t.strictSame([service.scheduler.lane('light').running, service.scheduler.lane('heavy').running], [1, 1])
  })

  await t.test(
    'a light one that turns out to be heavy runs again as such, and the first time does not count',
    async (t) => {
      let attempts = 0
      const before = async () => {
        if (++attempts === 1) throw new NeedsHeavy()
      }
      const service = await setUp(t, databaseUrl, undefined, { before })
      const { key: fileId } = await service.upload(alice)
      const { conversionId: id } = await service.start(alice, { fileId, toFormat: 'upp' })
      const read = () => service.database('conversions').where({ id }).first()
      await until(async () => !['queued', 'processing'].includes((await read()).status))
      t.match(await read(), { status: 'completed', attempts: 1, fence: 2, heavy: 1 })
      t.equal(attempts, 2)
    },
  )
})
