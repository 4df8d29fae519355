/** What clients see of the queue and of events: of one service, and of a node that serves while another one converts. */
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startAthanor } from '../services/athanor.ts'
import { stubEngines } from '../services/processes.ts'
import { removeFolder } from '../services/remove-folder.ts'
import { CONFIG, testClients } from './client-suite.ts'
import { startCluster, until } from './cluster.ts'

t.test('one service does everything', { timeout: 600_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-told-'))
  await chmod(folder, 0o711)
  t.teardown(() => removeFolder(folder))
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  // Its light conversions would also use the heavy place.
  const service = await startAthanor(dataDir, { ...CONFIG, queue: { workers: 1, heavyWorkers: 1 } })
  t.teardown(() => service.end('SIGKILL'))
  await testClients(t, service, service)
})

t.test('one node serves clients, the other one converts', { timeout: 600_000 }, async (t) => {
  const cluster = await startCluster(t)
  const worker = await cluster.node(CONFIG, { ROLE: 'worker' })
  const api = await cluster.node(CONFIG, { ROLE: 'api' })
  await testClients(t, api, worker)

  await t.test('a cancelled conversion stops at once, not only when its node looks at the record', async (t) => {
    const { fileId } = await api.upload('STUB\ntold', 'a.stub')
    const engines = () => stubEngines(worker.pid).length
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
