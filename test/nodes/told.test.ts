/** What clients see of the queue and of events, on each combination of drivers. */
import t, { type Test } from 'tap'
import { stubEngines } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { testClients } from './client-suite.ts'
import { DRIVERS, type Driven } from './drivers.ts'
import { testTurns } from './turns-suite.ts'

for (const [drivers, start] of Object.entries(DRIVERS)) {
  t.test(drivers, { timeout: 600_000 }, async (t) => {
    const driven = await start(t)
    const { serves, converts, again } = driven
    await testClients(t, serves, converts)
    if (driven.cluster) await testCancels(t, driven)
    await testTurns(t, serves, converts, again)
  })
}

async function testCancels(t: Test, { serves, converts, cluster }: Driven): Promise<void> {
  await t.test('a cancelled conversion stops at once, not only when its node looks at the record', async (t) => {
    const { fileId } = await serves.upload('STUB\ntold', 'a.stub')
    const engines = () => stubEngines(converts.pid).length
    const id = await serves.start(fileId, 'bust', { hang: true })
    await until(async () => engines() > 0)
    t.equal((await serves.call('DELETE', `/api/conversions/${id}`)).status, 204)
    // The node that converts would look at its records two times, 2 seconds apart. Now it can look at none.
    cluster!.database.pause()
    try {
      await until(async () => engines() === 0)
      // Without a message, the engine only ends with the lease.
      t.notMatch(converts.log(), /the lease of this node ends/)
    } finally {
      cluster!.database.resume()
    }
  })
}
