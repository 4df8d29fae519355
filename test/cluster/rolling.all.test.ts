/** Nodes behind HAProxy, as config/deploy has it: clients do not notice that the nodes are restarted in turn. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { startHaproxy } from '../harness/servers/haproxy.ts'
import { until } from '../harness/until.ts'

/** Clients that work at the same time. Half of them keep their connections. */
const CLIENTS = 6
const JSON_BODY = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'multipart/form-data; boundary=b' }
const UPLOAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\nrolling\r\n--b--\r\n'

t.test('all nodes are restarted behind a proxy', { timeout: 900_000 }, async (t) => {
  // As by default, a node that stops is available long enough for the proxy to see it. What takes longer than the grace
  // and 5 s is cut off: on a busy machine, an answer takes 6 s. A node stops sooner if nothing is open.
  const shutdown = { grace: '60s', delay: null }
  const cluster = await startCluster(t, { bucket: true, config: { queue: { workers: 5, heavyWorkers: 1 }, shutdown } })
  const nodes = await Promise.all([cluster.node(), cluster.node(), cluster.node()])
  const haproxy = cluster.servers.use(
    await startHaproxy(nodes.map(({ base }, n) => `server node${n} ${new URL(base).host} check`)),
  )
  const working = async (count: number) => (await haproxy.working()).length === count
  await until(() => working(nodes.length))

  const end = new AbortController()
  const started: string[] = []
  let downloads = 0

  /** Sends a request. Anything but success is an error, unless a server is slow, as on a busy machine. */
  async function ask(agent: Agent, method: string, path: string, headers = {}, body?: string): Promise<string> {
    const sent = request(haproxy.base + path, { method, headers, agent }).end(body)
    const [answer] = (await once(sent, 'response').catch((cause) => {
      throw new Error(`${method} ${path}`, { cause })
    })) as [IncomingMessage]
    const content = await text(answer)
    if (answer.statusCode! < 300) return content
    if (!content.includes('"NOT_READY"')) throw new Error(`${method} ${path}: ${answer.statusCode} ${content}`)
    await delay(1000 * Number(answer.headers['retry-after']))
    return ask(agent, method, path, headers, body)
  }

  async function work(keepAlive: boolean): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    while (!end.signal.aborted) {
      const { fileId } = JSON.parse(await ask(agent, 'POST', '/api/uploads', FORM, UPLOAD)).file
      const start = JSON.stringify({ fileId, toFormat: 'bust', options: { sleep: 300 } })
      const { conversionId } = JSON.parse(await ask(agent, 'POST', '/api/conversions', JSON_BODY, start))
      started.push(conversionId)
      for (let done = false; !done; ) {
        const { conversion } = JSON.parse(await ask(agent, 'GET', `/api/conversions/${conversionId}?wait=20`))
        if (conversion.status === 'failed') throw new Error(JSON.stringify(conversion))
        done = conversion.status === 'completed'
        if (!done) continue
        const { pathname, search } = new URL(conversion.outputUrl)
        t.equal(await ask(agent, 'GET', pathname + search), 'BUST\nrolling')
        downloads++
      }
    }
    agent.destroy()
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => work(n % 2 === 0)))
  // A client that failed ends the test at once.
  const orFailed = <T>(step: Promise<T>) => Promise.race([step, clients.then(() => step)])
  try {
    for (const [at, node] of nodes.entries()) {
      const before = downloads
      const ended = node.end('SIGTERM')
      await orFailed(until(() => working(nodes.length - 1)))
      t.equal(await node.upload('STUB\nlate', 'a.stub').then(({ format }) => format), 'stub', 'it still serves then')
      t.equal(await orFailed(ended), 0)
      await orFailed(until(async () => downloads > before + CLIENTS))
      nodes[at] = await node.again()
      await orFailed(until(() => working(nodes.length)))
    }
  } finally {
    end.abort()
    await clients
  }
  const rows = await cluster.settle(t, nodes, started)
  t.strictSame(
    rows.filter(({ status, attempts }) => status !== 'completed' || attempts !== 1),
    [],
    'all are completed, at the first attempt',
  )
  t.equal(downloads, started.length)
  // A start that was answered with NOT_READY is withdrawn: its record says that it was cancelled, and it is not
  // charged.
  t.equal(await cluster.count("select count(*) from conversions where status = 'completed'"), started.length)
})
