/** Resumable uploads whose requests reach two nodes in turn: the suite of all drivers. */
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { newFolder, removeFolder } from '../harness/folder.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { startRoundRobin } from '../harness/servers/round-robin.ts'
import { startService } from '../harness/service.ts'
import { type ServiceOfUploads, suite } from '../http/resumable-suite.ts'

const servers = new AsyncDisposableStack()
t.teardown(() => servers.disposeAsync())
const redis = servers.use(await startRedis())
const database = servers.use(await startMariaDb())
let opened = 0

async function open(change: Parameters<Parameters<typeof suite>[1]>[0]): Promise<ServiceOfUploads> {
  const own = new AsyncDisposableStack()
  const share = await newFolder()
  own.defer(() => removeFolder(share))
  await mkdir(join(share, 'files'), { recursive: true })
  const env = {
    DATABASE_URL: await database.create(`uploads${++opened}`),
    REDIS_URL: redis.url,
    STORAGE_URL: `file://${share}`,
    JWT_SECRET: 'a secret that both nodes of the test share',
  }
  const one = own.use(await startService({ env, change }))
  const two = own.use(await startService({ env, change }))
  const balancer = own.use(await startRoundRobin(one.base, two.base))
  const below = (folder: string) => readdir(join(share, folder), { recursive: true, withFileTypes: true })
  const filesBelow = async (folder: string) =>
    (await below(folder)).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return {
    service: { ...one, base: balancer.base, port: balancer.port },
    files: join(share, 'files'),
    stored: async () => (await filesBelow('files')).filter((path) => path.includes('/parts/')).sort(),
    async arrived() {
      const sizes = await Promise.all((await filesBelow('incoming')).map(async (path) => (await stat(path)).size))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  }
}

t.setTimeout(900_000)
t.test('what every driver does', (t) => suite(t, open))
