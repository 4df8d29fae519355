/** What a node that serves clients learns of, and tells to, the node that converts: by messages, not by looking. */
import t from 'tap'
import { listen } from '../http/listen.ts'
import { stubEngines } from '../services/processes.ts'
import { startCluster, until } from './cluster.ts'

t.test('one node serves a client, the other one converts', { timeout: 600_000 }, async (t) => {
  const cluster = await startCluster(t)
  const worker = await cluster.node({ timeouts: { light: '1h', heavy: '1h', stalled: null } }, { ROLE: 'worker' })
  const api = await cluster.node({}, { ROLE: 'api' })
  const { fileId } = await api.upload('STUB\ntold', 'a.stub')
  const engines = () => stubEngines(worker.pid).length

  // A stream looks at no record of which it was not told.
  await t.test('streams tell the beginning, the progress and the end', async (t) => {
    const everything = await listen(api)
    const id = await api.start(fileId, 'bust', { sleep: 3000 })
    const narrow = await listen(api, `/api/conversions/${id}/events`)
    for (const stream of [everything, narrow]) {
      const is = (status: string) => stream.until(({ data }) => data.id === id && data.status === status)
      await is('processing')
      await stream.until(({ data }) => data.id === id && data.progress > 0 && data.progress < 100)
      t.match((await is('completed')).data, { progress: 100, outputUrl: /^http/ })
      stream.close()
    }
  })

  await t.test('streams tell the beginning of a conversion that shows no progress', async (t) => {
    const stream = await listen(api)
    const id = await api.start(fileId, 'bust', { hang: true })
    await stream.until(({ data }) => data.id === id && data.status === 'processing')
    t.equal((await api.call('DELETE', `/api/conversions/${id}`)).status, 204)
    stream.close()
    await until(async () => engines() === 0)
  })

  await t.test('a cancelled conversion stops at once, not only when its node looks at the record', async (t) => {
    const id = await api.start(fileId, 'bust', { hang: true })
    await until(async () => engines() > 0)
    t.equal((await api.call('DELETE', `/api/conversions/${id}`)).status, 204)
    // The node that converts would look at its records two times, 2 seconds apart. Now it can look at none.
    cluster.database.pause()
    try {
      await until(async () => engines() === 0)
      // Without a message, the engine only ends with the lease.
      t.notMatch(worker.log(), /the lease of this node ends/)
    } finally {
      cluster.database.resume()
    }
  })
})
