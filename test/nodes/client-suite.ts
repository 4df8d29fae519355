import type { Test } from 'tap'
import { listen } from '../harness/listen.ts'
import { stubEngines } from '../harness/processes.ts'
import type { Service } from '../harness/program.ts'
import { until } from '../harness/until.ts'

/** Conversions that a guest may have pending, in the services of the suite. */
export const PENDING = 4

/** Places of each kind. One owner has one light place, and by its plan one heavy place. */
export const PLACES = 2

/** The configuration of all services. Light conversions that hang go on. */
export const CONFIG = {
  timeouts: { light: '1h', heavy: '10s', stalled: null },
  plans: { guest: { pendingJobs: PENDING, heavyConcurrency: 1, conversionsPerDay: null, bytesPerDay: null } },
}

/**
 * What clients see of the queue and of events, whatever their drivers are.
 *
 * @param serves Answers clients. @param converts Runs the conversions; the same service, or another node.
 */
export async function testClients(t: Test, serves: Service, converts: Service): Promise<void> {
  const { fileId } = await serves.upload('STUB\ntold', 'a.stub')
  const engines = () => stubEngines(converts.pid).length
  const cancel = async (id: string) => t.equal((await serves.call('DELETE', `/api/conversions/${id}`)).status, 204)

  // A stream looks at no record of which it was not told.
  await t.test('streams tell the beginning, the progress and the end', async (t) => {
    const everything = await listen(serves)
    const id = await serves.start(fileId, 'bust', { sleep: 3000 })
    const narrow = await listen(serves, `/api/conversions/${id}/events`)
    for (const stream of [everything, narrow]) {
      const is = (status: string) => stream.until(({ data }) => data.id === id && data.status === status)
      await is('processing')
      await stream.until(({ data }) => data.id === id && data.progress > 0 && data.progress < 100)
      t.match((await is('completed')).data, { progress: 100, outputUrl: /^http/ })
      stream.close()
    }
  })

  await t.test('streams tell the beginning of a conversion that shows no progress', async (t) => {
    const stream = await listen(serves)
    const id = await serves.start(fileId, 'bust', { hang: true })
    await stream.until(({ data }) => data.id === id && data.status === 'processing')
    await cancel(id)
    t.match((await stream.until(({ data }) => data.id === id && data.status === 'failed')).data.error.code, 'CANCELLED')
    stream.close()
    await until(async () => engines() === 0)
  })

  await t.test('wait= answers with the end, and with a cancel', async (t) => {
    const ends = await serves.start(fileId, 'bust', { sleep: 500 })
    const waited = await serves.call('GET', `/api/conversions/${ends}?wait=30`)
    t.match(waited.json.conversion, { status: 'completed', progress: 100 })
    const hangs = await serves.start(fileId, 'bust', { hang: true })
    await until(async () => engines() > 0)
    const waiting = serves.call('GET', `/api/conversions/${hangs}?wait=30`)
    await cancel(hangs)
    t.match((await waiting).json.conversion, { status: 'failed', error: { code: 'CANCELLED' } })
    await until(async () => engines() === 0)
  })

  await t.test('starts tell how many wait, up to the limit of the plan', async (t) => {
    const start = () => serves.call('POST', '/api/conversions', { fileId, toFormat: 'bust', options: { hang: true } })
    const ids: string[] = []
    const running = (await start()).json
    ids.push(running.conversionId)
    await until(async () => engines() > 0)
    // Several nodes count the waiting ones once a second.
    await until(async () => /athanor_conversions_queued\{lane="light"\} 0/.test(await metricsOf(serves)))
    for (let depth = 1; depth < PENDING; depth++) {
      const { status, json } = await start()
      t.match({ status, json }, { status: 201, json: { queued: true, queueDepth: depth } })
      ids.push(json.conversionId)
    }
    t.match(await start(), { status: 429, json: { error: { code: 'QUEUE_FULL_USER' } } })
    // The last first, so that none of them begins.
    for (const id of ids.reverse()) await cancel(id)
    await until(async () => engines() === 0)
    t.equal((await serves.finish(await serves.start(fileId, 'bust'))).status, 'completed', 'the places are free again')
  })
}

const metricsOf = async ({ base }: Service) => (await fetch(`${base}/metrics`)).text()
