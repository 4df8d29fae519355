/** In which lane an accepted conversion waits. */
import { guestOwner } from '../../kernel/accounts/owner.ts'
import { NeedsHeavy } from '../../kernel/conversions/steps.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { until } from '../harness/until.ts'

const alice = guestOwner('192.0.2.1', 'a')

onBothDatabases(async (t, databaseUrl) => {
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
