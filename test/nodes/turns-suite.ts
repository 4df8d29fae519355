import type { Test } from 'tap'
import { stubEngines } from '../harness/processes.ts'
import type { Service } from '../harness/program.ts'
import { until } from '../harness/until.ts'

/**
 * Whose conversion runs when, for how long, and that it ends, whatever the drivers are. The services have the configuration
 * of the suite of clients.
 *
 * @param serves Answers clients. @param converts Runs the conversions; the same service, or another node.
 * @param again Starts the service that converts again, after it was killed. Resolves to the one that answers clients.
 */
export async function testTurns(
  t: Test,
  serves: Service,
  converts: Service,
  again: () => Promise<Service>,
): Promise<void> {
  const engines = () => stubEngines(converts.pid).length
  const [ada, bo, carl] = await Promise.all(['ada', 'bo', 'carl'].map((name) => guest(serves, name)))

  await t.test("an owner's conversions run in order; another one's waits for one of them at most", async (t) => {
    const [other, first] = [await carl!.start({ hang: true }), await ada!.start({ hang: true })]
    await Promise.all([carl!.begun(other), ada!.begun(first)])
    const waiting = [await ada!.start(), await ada!.start(), await ada!.start()]
    const late = await bo!.start()
    await ada!.cancel(first)
    const ended = await Promise.all([...waiting.map(ada!.finish), bo!.finish(late)])
    t.ok(ended.every(({ status }) => status === 'completed'))
    const order = ended.sort((one, two) => one.completedAt.localeCompare(two.completedAt)).map(({ id }) => id)
    t.ok(order.indexOf(late) <= 1, `${late} in ${order}`)
    t.strictSame(
      order.filter((id) => id !== late),
      waiting,
    )
    await carl!.cancel(other)
    await until(async () => engines() === 0)
  })

  await t.test('a plan limits heavy conversions at the same time, and a time limit ends each', async (t) => {
    // On a slow machine, the first one can be over before the other owner's.
    for (let together = false, round = 0; !together; round++) {
      if (round === 10) throw new Error('an owner waits for the heavy conversion of another one')
      const first = await ada!.start({ heavy: true, hang: true })
      await ada!.begun(first)
      const second = await ada!.start({ heavy: true })
      t.match(await bo!.finish(await bo!.start({ heavy: true })), { status: 'completed' })
      const { status } = await ada!.look(second)
      together = (await ada!.look(first)).status === 'processing'
      if (together) t.equal(status, 'queued')
      t.match(await ada!.finish(first), { status: 'failed', error: { code: 'TIMEOUT' } })
      t.match(await ada!.finish(second), { status: 'completed' })
    }
    await until(async () => engines() === 0)
  })

  await t.test('what was accepted is done when its service is killed and started again', async (t) => {
    const interrupted = await ada!.start({ sleep: 3000 })
    await ada!.begun(interrupted)
    const waiting = await ada!.start()
    await converts.end('SIGKILL')
    const service = await again()
    const later = await guest(service, 'ada')
    for (const id of [interrupted, waiting]) {
      const { status, outputUrl } = await later.finish(id)
      t.equal(status, 'completed')
      const { pathname, search } = new URL(outputUrl)
      t.equal(await (await fetch(service.base + pathname + search)).text(), 'BUST\nada')
    }
  })
}

/** A guest of a service, with a file to convert. */
async function guest({ base }: Service, name: string) {
  async function ask(method: string, path: string, body?: object): Promise<any> {
    const form = body instanceof FormData
    const type = !body || form ? {} : { 'content-type': 'application/json' }
    const headers = { 'x-guest-fingerprint': name, ...type }
    const answer = await fetch(base + path, {
      method,
      headers,
      ...(body && { body: form ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text && JSON.parse(text)
  }
  const form = new FormData()
  form.append('file', new Blob([`STUB\n${name}`]), 'a.stub')
  const { fileId } = (await ask('POST', '/api/uploads', form)).file
  const look = async (id: string, wait = 0) => (await ask('GET', `/api/conversions/${id}?wait=${wait}`)).conversion
  return {
    look,
    start: async (options: object = {}): Promise<string> =>
      (await ask('POST', '/api/conversions', { fileId, toFormat: 'bust', options })).conversionId,
    begun: (id: string) => until(async () => (await look(id)).status === 'processing'),
    cancel: (id: string) => ask('DELETE', `/api/conversions/${id}`),
    async finish(id: string) {
      for (let attempt = 0; attempt < 10; attempt++) {
        const conversion = await look(id, 20)
        if (['completed', 'failed'].includes(conversion.status)) return conversion
      }
      throw new Error(`${id} did not end`)
    },
  }
}
