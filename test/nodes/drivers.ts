import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { removeFolder } from '../harness/folder.ts'
import { startCluster } from '../harness/nodes.ts'
import { type Service, startAthanor } from '../harness/program.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { environmentOf, startObjectStore } from '../harness/servers/object-store.ts'
import { CONFIG, PLACES } from './client-suite.ts'

/** Services on real drivers. */
export interface Driven {
  /** Answers clients. */
  serves: Service
  /** Runs the conversions; the same service, or another node. */
  converts: Service
  /** Starts the one that converts again. Resolves to the one that answers clients. */
  again(): Promise<Service>
  /** The cluster, if there are several nodes. */
  cluster?: Awaited<ReturnType<typeof startCluster>>
}

/** The combinations of drivers on which the suites run: queue, database, storage. */
export const DRIVERS: Record<string, (t: Test) => Promise<Driven>> = {
  'own queue, SQLite, data folder': (t) => alone(t),
  'own queue, MariaDB, data folder': async (t) => {
    const server = await startMariaDb()
    t.teardown(() => server[Symbol.asyncDispose]())
    return alone(t, { DATABASE_URL: await server.create('alone') })
  },
  'Redis, MariaDB, shared folder': (t) => nodes(t),
  'Redis, MariaDB, S3': async (t) => {
    const store = await startObjectStore()
    t.teardown(() => store[Symbol.asyncDispose]())
    await store.send('PUT', '/driven')
    return nodes(t, environmentOf(store, 'driven'))
  },
}

/** One service does everything. */
async function alone(t: Test, env: NodeJS.ProcessEnv = {}): Promise<Driven> {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-driven-'))
  await chmod(folder, 0o711)
  const services: Service[] = []
  t.teardown(async () => {
    for (const service of services) await service.end('SIGKILL')
    await removeFolder(folder)
  })
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const again = async () => {
    // Its light conversions may use the heavy places, too.
    const queue = { workers: PLACES, heavyWorkers: PLACES }
    const service = await startAthanor(dataDir, { ...CONFIG, queue }, env)
    services.push(service)
    return service
  }
  const service = await again()
  return { serves: service, converts: service, again }
}

/** One node serves clients, the other one converts. */
async function nodes(t: Test, env: NodeJS.ProcessEnv = {}): Promise<Driven> {
  const cluster = await startCluster(t)
  const config = { ...CONFIG, queue: { workers: 2 * PLACES, heavyWorkers: PLACES } }
  const converts = await cluster.node(config, { ...env, ROLE: 'worker' })
  const serves = await cluster.node(config, { ...env, ROLE: 'api' })
  return { cluster, serves, converts, again: async () => converts.again().then(() => serves) }
}
