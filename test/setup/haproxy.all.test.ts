/** The example of HAProxy, in front of servers that come and go. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import t, { type Test } from 'tap'
import { freePort } from '../harness/free-port.ts'
import { startDns } from '../harness/servers/dns.ts'
import { type Haproxy, startHaproxy } from '../harness/servers/haproxy.ts'

/** Starts a server that says its address. `ready` is the status of its `/readyz`. */
async function start(t: Test, address: string, port = 0) {
  const node = { ready: 200, address: '', stop: () => closeAll(server) }
  const server = createServer((req, res) => {
    if (req.url === '/readyz') res.statusCode = node.ready
    res.end(node.address)
  })
  await once(server.listen(port, address), 'listening')
  node.address = `${address}:${(server.address() as { port: number }).port}`
  t.teardown(node.stop)
  return node
}

function closeAll(server: Server): void {
  server.close()
  server.closeIdleConnections()
}

async function startProxy(t: Test, servers: readonly string[], change?: (config: string) => string): Promise<Haproxy> {
  const haproxy = await startHaproxy(servers, change)
  t.teardown(() => haproxy[Symbol.asyncDispose]())
  return haproxy
}

/** What a request gets. A POST has a body of some packets. */
async function ask({ base }: Haproxy, method = 'GET'): Promise<string> {
  const answer = await fetch(base, { method, ...(method === 'POST' && { body: 'x'.repeat(100_000) }) })
  return `${answer.status} ${await answer.text()}`
}

/** Asks until these answers, and no others, came to as many requests in turn. */
async function onlyAnswers(haproxy: Haproxy, addresses: readonly string[]): Promise<void> {
  const expected = addresses.map((address) => `200 ${address}`).sort()
  for (let same = false; !same; ) {
    const all = []
    for (let n = 0; n < 6; n++) all.push(await ask(haproxy))
    same = `${[...new Set(all)].sort()}` === `${expected}`
  }
}

t.test('a node that is not ready gets no requests; those for one that has stopped go to another', async (t) => {
  const staying = await start(t, '127.0.0.1')
  const other = await start(t, '127.0.0.1')
  const servers = [staying, other].map(({ address }, n) => `server node${n} ${address} check`)
  const haproxy = await startProxy(t, servers)
  // A server counts as working before the first check.
  await onlyAnswers(haproxy, [staying.address, other.address])
  other.ready = 503
  await onlyAnswers(haproxy, [staying.address])
  t.strictSame(await haproxy.working(), ['node0'])
  other.ready = 200
  await onlyAnswers(haproxy, [staying.address, other.address])
  other.stop()
  for (const method of Array.from({ length: 10 }, () => ['GET', 'POST']).flat())
    t.equal(await ask(haproxy, method), `200 ${staying.address}`, 'also those that change something')
})

t.test('it finds the nodes by DNS, those that come later too', async (t) => {
  const port = await freePort()
  const [first, second, third] = await Promise.all([1, 2, 3].map((n) => start(t, `127.0.0.${n}`, port)))
  const dns = await startDns()
  t.teardown(() => dns[Symbol.asyncDispose]())
  dns.names.set('athanor', ['127.0.0.1', '127.0.0.2'])
  // As the example has it, with another port and another DNS server.
  const haproxy = await startProxy(t, [], (config) =>
    config.replace('athanor:3000', `athanor:${port}`).replace('127.0.0.11:53', dns.address),
  )
  await onlyAnswers(haproxy, [first!.address, second!.address])
  dns.names.set('athanor', ['127.0.0.1', '127.0.0.2', '127.0.0.3'])
  await onlyAnswers(haproxy, [first!.address, second!.address, third!.address])
  dns.names.set('athanor', ['127.0.0.3'])
  await onlyAnswers(haproxy, [third!.address])
  t.equal((await haproxy.working()).length, 1)
})
