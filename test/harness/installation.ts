import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Test } from 'tap'
import { newFolder, removeFolder } from './folder.ts'
import { type Service, startAthanor } from './program.ts'

/** A data folder, and services in separate processes that use it and end with the test. */
export async function installation(t: Test) {
  const folder = await newFolder()
  const dataDir = join(folder, 'data')
  const services: Service[] = []
  t.teardown(async () => {
    for (const service of services) await service.end('SIGKILL')
    await removeFolder(folder)
  })
  return {
    folder,
    dataDir,
    /** Starts a service. This configuration overrides one without limits for guests. */
    async live(config: object = {}, env: NodeJS.ProcessEnv = {}, through: readonly string[] = []): Promise<Service> {
      const service = await startAthanor(dataDir, { ...open, ...config }, env, through)
      services.push(service)
      return service
    },
  }
}

const guest = {
  pendingJobs: null,
  heavyConcurrency: null,
  conversionsPerDay: null,
  bytesPerDay: null,
  storedBytes: null,
}
const open = { plans: { guest: { ...guest, maxFileSize: '500MB' } }, warm: { spares: 0 } }

/** Reads records of a data folder whose service has ended. */
export function rowsIn(dataDir: string, table = 'conversions'): any[] {
  const database = new Database(join(dataDir, 'athanor.sqlite'), { readonly: true })
  const rows = database.prepare(`select * from ${table} order by 1`).all()
  database.close()
  return rows
}

/** Lists files in the data folder except records, secrets and stored files. None exist while the service is idle. */
export async function leftovers(dataDir: string): Promise<string[]> {
  const inside = async (name: string) => (await readdir(join(dataDir, name)).catch(() => [])).map((e) => `${name}/${e}`)
  const found = [...(await inside('work')), ...(await inside('work/trash')), ...(await inside('incoming'))]
  return found.filter((path) => !['work/trash', 'work/.sandbox'].includes(path))
}

/** Lists the stored files by their keys. */
export async function storedKeys(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  const root = join(dataDir, 'files')
  return entries.filter((e) => !e.isDirectory()).map((e) => join(e.parentPath, e.name).slice(root.length + 1))
}
