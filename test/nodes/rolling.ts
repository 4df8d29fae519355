import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { until } from '../harness/until.ts'
import type { FaultyCluster, FaultyNode } from './faulty.ts'

/** Clients that work at the same time. */
const CLIENTS = 6

/** Stops and starts all nodes one after the other, while clients work. Puts the new nodes into the list. */
export async function rolling(t: Test, cluster: FaultyCluster, nodes: FaultyNode[]): Promise<void> {
  const { ask, stop } = createClient(nodes.map(({ base }) => base))
  const known: string[] = []
  const end = new AbortController()

  async function work(): Promise<void> {
    while (!end.signal.aborted) {
      const form = new FormData()
      form.append('file', new Blob(['STUB\nrolling']), 'a.stub')
      const { file } = await ask(201, '/api/uploads', form)
      const { fileId } = file
      const { conversionId } = await ask(201, '/api/conversions', {
        fileId,
        toFormat: 'bust',
        options: { sleep: 2500 },
      })
      known.push(conversionId)
      for (let done = false; !done; ) {
        const { conversion } = await ask(200, `/api/conversions/${conversionId}?wait=20`)
        done = conversion.status === 'completed'
        if (conversion.status === 'failed') throw new Error(`failed: ${JSON.stringify(conversion)}`)
        if (!done) continue
        const { pathname, search } = new URL(conversion.outputUrl)
        t.equal(await ask(200, pathname + search), 'BUST\nrolling')
      }
    }
  }

  const before = await cluster.count('select count(*) from conversions')
  const clients = Promise.all(Array.from({ length: CLIENTS }, work))
  // Its failure is told below.
  clients.catch(() => {})
  try {
    for (const [at, node] of nodes.entries()) {
      await until(async () => (await cluster.claims(node)).length > 0)
      t.equal(await stop(node), 0, 'it stops in order')
      t.strictSame(await cluster.claims(node), [], 'it has no conversions any more')
      nodes[at] = await node.again()
    }
  } finally {
    end.abort()
    await clients
  }
  const rows = await cluster.settle(t, nodes, known)
  t.equal((await cluster.count('select count(*) from conversions')) - before, known.length, 'each start counts once')
  const wrong = rows.filter(({ status, attempts }) => status !== 'completed' || attempts !== 1)
  t.strictSame(wrong, [], 'all are completed, at the first attempt')
  t.ok(
    rows.some(({ fence }) => fence > 1),
    'some were handed over',
  )
}

/** Codes of answers after which a client asks again. */
const AGAIN = ['SHUTTING_DOWN', 'NOT_READY']

/**
 * Creates a client that asks the next node if one refuses the connection, or says in its answer that it cannot work now.
 * Anything else that is not expected is an error.
 */
function createClient(bases: readonly string[]) {
  // A connection for each request: an idle one can close at the moment when a request is sent.
  const agent = new Agent({ keepAlive: false })
  let turn = 0
  let avoided: string | undefined

  async function send(url: string, method = 'GET', headers = {}, body?: Buffer) {
    const request = httpRequest(url, { method, headers, agent }).end(body)
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    const content = await text(answer)
    const isJson = /json/.test(answer.headers['content-type'] ?? '')
    return { answer, value: isJson ? JSON.parse(content) : content }
  }

  const isRefusal = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'

  return {
    async ask(expected: number, path: string, body?: object): Promise<any> {
      const method = body ? 'POST' : 'GET'
      const json = body && !(body instanceof FormData)
      const shape = new Request('http://shape', {
        method,
        ...(body && { body: json ? JSON.stringify(body) : (body as FormData) }),
        ...(json && { headers: { 'content-type': 'application/json' } }),
      })
      const headers = Object.fromEntries(shape.headers)
      const bytes = Buffer.from(await shape.arrayBuffer())
      for (let tries = 0; tries < 600; tries++) {
        const base = bases[turn++ % bases.length]!
        if (base === avoided) continue
        try {
          const { answer, value } = await send(base + path, method, headers, bytes)
          if (answer.statusCode === expected) return value
          const again = answer.statusCode === 503 && AGAIN.includes(value.error?.code) && answer.headers['retry-after']
          if (!again) throw new Error(`${answer.statusCode} ${JSON.stringify(value)}`)
        } catch (error) {
          if (!isRefusal(error)) throw new Error(`${method} ${base}${path}`, { cause: error })
        }
        await delay(100)
      }
      throw new Error(`${method} ${path}: no node answers`)
    },

    /**
     * Stops a node, which does not wait until proxies know it. A connection is reset if it comes in the moment when a server
     * stops to listen, whatever the server does. So the client makes no new one until then, and the answer to one more request
     * shows that all others are accepted.
     */
    async stop(node: FaultyNode): Promise<number | null> {
      avoided = node.base
      await send(`${node.base}/healthz`)
      const ended = node.end('SIGTERM')
      await until(async () => send(`${node.base}/healthz`).then(() => false, isRefusal))
      avoided = undefined
      return await ended
    },
  }
}
