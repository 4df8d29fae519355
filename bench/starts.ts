import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from './client.ts'
import type { Bench } from './engines.ts'
import { spread } from './report.ts'
import { startBaseline, startService, tracedInto } from './service.ts'

const ROUNDS = 15
/** Conversions that start in a round, by so many clients. Fewer than the queue takes. */
const STARTS = 400
const CLIENTS = 8
/** Requests whose statements are counted, one after another. */
const COUNTED = 21

/**
 * Measures starts while every lane is full, so that no engine shares the machine, beside Koa with as many statements,
 * which are counted. Jobs of the stub hold the lanes.
 */
export async function benchStarts({
  bareClient,
  folder,
  goals,
  time,
}: Omit<Bench, 'client'> & { bareClient: Bench['client'] }): Promise<void> {
  await countStatements(folder, goals)
  await withFullLanes(join(folder, 'starts'), {}, async ({ client, start, body }) => {
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await perSecond(time, () => bareClient.json('POST', '/starts', body)))
      await bareClient.drain('/starts', 'DELETE')
      const ids: string[] = []
      ours.push(await perSecond(time, async () => ids.push(await start())))
      for (const id of ids) await client.drain(`/api/conversions/${id}`, 'DELETE')
    }
    goals.push({ name: 'starting a conversion, lanes full', unit: 'requests/s', ours, bare, atLeast: 0.5 })
  })
}

/**
 * Counts the statements of a poll and of a start on both sides, those that open and end transactions included, in
 * processes of their own. A row is missed if they differ, because then the comparison is not fair.
 */
async function countStatements(folder: string, goals: Bench['goals']): Promise<void> {
  const traced = join(folder, 'statements')
  const bareTraced = join(folder, 'bare-statements')
  const place = join(folder, 'counted')
  await withFullLanes(place, tracedInto(traced), async ({ client, start, body }) => {
    const id = await start()
    const baseline = await startBaseline(place, '', tracedInto(bareTraced))
    const bareClient = createClient(baseline.base)
    try {
      for (const [name, run, bareRun] of [
        ['poll', () => client.json('GET', `/api/conversions/${id}`), () => bareClient.json('GET', '/jobs/one')],
        ['start', start, () => bareClient.json('POST', '/starts', body)],
      ] as const) {
        const ours = await statementsOf(traced, run)
        const bare = await statementsOf(bareTraced, bareRun)
        const [own, other] = [ours, bare].map((each) => each.map(({ length }) => length)) as [number[], number[]]
        if (spread(own).median !== spread(other).median)
          console.log(`statements of a ${name}: ${ours.at(-1)!.join('; ')}\nbare: ${bare.at(-1)!.join('; ')}`)
        goals.push({ name: `statements of a ${name}`, unit: '', ours: own, bare: other, atMost: 1, atLeast: 1 })
      }
    } finally {
      bareClient.close()
      await baseline.stop()
    }
  })
}

/** Runs something several times. Resolves to the statements of each time. */
async function statementsOf(file: string, run: () => Promise<unknown>): Promise<string[][]> {
  const read = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1)
  const each: string[][] = []
  for (let at = 0; at < COUNTED; at++) {
    const { length } = await read()
    await run()
    each.push((await read()).slice(length))
  }
  return each
}

/** Starts a service of a checkout, with these variables, and fills its lanes with jobs of the stub. */
export async function withFullLanes(
  place: string,
  env: NodeJS.ProcessEnv,
  use: (filled: { client: Bench['client']; pid: number; start: () => Promise<string>; body: object }) => Promise<void>,
  from = join(import.meta.dirname, '..'),
): Promise<void> {
  await mkdir(place, { mode: 0o711 })
  const stub = join(from, 'test', 'stub-plugin')
  const service = await startService(place, env, `plugins: { ${JSON.stringify(stub)}: true }\n`, from)
  const client = createClient(service.base)
  try {
    const { file } = await client.uploadBytes(Buffer.from('STUB\nOnce upon a time.'), 'a.stub')
    const body = { fileId: file.fileId, toFormat: 'bust', options: { sleep: 600_000 } }
    for (;;) {
      const { queued } = await client.json('POST', '/api/conversions', body)
      if (queued) break
    }
    const start = async () => (await client.json('POST', '/api/conversions', body)).conversionId as string
    await use({ client, pid: service.pid, start, body })
  } finally {
    client.close()
    await service.stop()
  }
}

async function perSecond(time: Bench['time'], run: () => Promise<unknown>): Promise<number> {
  let left = STARTS
  const one = async () => {
    while (left-- > 0) await run()
  }
  return (STARTS * 1000) / (await time(() => Promise.all(Array.from({ length: CLIENTS }, one))))
}
