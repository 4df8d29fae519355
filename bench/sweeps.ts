import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../kernel/database/database.ts'
import { startMariaDb } from '../test/harness/servers/mariadb.ts'
import { createClient } from './client.ts'
import { fill, keysOf } from './growth-rows.ts'
import { type Goal, spread } from './report.ts'
import { startService } from './service.ts'

/** Expired uploads, and as many expired conversions, each with its bytes. */
const EXPIRED = 10_000
/** Rows that the service removes in one turn of a sweep. */
const TURN = 100
/** Milliseconds of polling before, and between two looks at what is left. */
const QUIET = 3000
const LOOK = 500

/** Measures polling while a service with either database removes many expired conversions and uploads. */
export async function benchSweeps({ folder, goals, picture }: { folder: string; goals: Goal[]; picture: string }) {
  await using server = await startMariaDb()
  await sweep('SQLite', folder, goals, picture)
  await sweep('MariaDB', folder, goals, picture, await server.create('sweeps'))
}

async function sweep(name: string, folder: string, goals: Goal[], picture: string, url?: string): Promise<void> {
  const place = await mkdtemp(join(folder, 'swept-'))
  const service = await startService(place, url === undefined ? {} : { DATABASE_URL: url })
  const client = createClient(service.base)
  const database = await openDatabase({ url, dataDir: join(place, 'data') })
  try {
    const { file } = await client.upload(picture)
    const { id } = await client.convert(file.fileId, 'jpg')
    /** Polls until `done`. Resolves to the milliseconds of each. */
    const poll = async (done: () => boolean) => {
      const times: number[] = []
      while (!done()) {
        const from = performance.now()
        await client.json('GET', `/api/conversions/${id}`)
        times.push(performance.now() - from)
      }
      return times
    }
    const until = performance.now() + QUIET
    const quiet = await poll(() => performance.now() > until)
    for (const key of keysOf(EXPIRED)) {
      const path = join(place, 'data', 'files', key)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'x')
    }
    await fill(database, EXPIRED)
    for (const table of ['files', 'conversions'])
      await database(table).where('charged_to', 'like', 'user%').update({ expires_at: 1 })
    const left = async () => {
      const expired = (table: string) =>
        database(table).where('expires_at', '<=', Date.now()).select('expires_at').first()
      return (await expired('conversions')) ?? (await expired('files'))
    }
    let swept = false
    const looks = async () => {
      while (await left()) await delay(LOOK)
      swept = true
    }
    await service.loopDelay()
    // Whenever its next look is due. Until then, polling is as usual.
    const [first] = keysOf(1)
    while (await database('files').where({ key: first }).first()) await delay(LOOK)
    const began = performance.now()
    const [times] = await Promise.all([poll(() => swept), looks()])
    const took = performance.now() - began
    const p99 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!
    const what = `${name}, while ${EXPIRED} conversions and ${EXPIRED} uploads are removed`
    goals.push({ name: `${what}: polling, p99`, unit: 'ms', ours: [p99(times)], atMost: 50 })
    goals.push({ name: `${what}: polling, p99 against before`, unit: 'ms', ours: [p99(times)], bare: [p99(quiet)] })
    goals.push({ name: `${what}: polling, the slowest`, unit: 'ms', ours: [spread(times).max] })
    goals.push({
      name: `${what}: delay of the event loop, p99`,
      unit: 'ms',
      ours: [await service.loopDelay()],
      atMost: 50,
    })
    const turns = (2 * EXPIRED) / TURN
    goals.push({ name: `${what}: a turn of ${TURN}, in the mean`, unit: 'ms', ours: [took / turns], atMost: 1000 })
    const count = Number((await database('stored_bytes').where('subject', 'like', 'user%').count({ n: '*' }))[0]!.n)
    goals.push({ name: `${what}: owners whose bytes still count`, unit: '', ours: [count], atMost: 0 })
  } finally {
    await database.destroy()
    client.close()
    await service.stop()
  }
}
