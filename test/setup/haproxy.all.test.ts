/** The example of HAProxy finds nodes by DNS. What it does when they stop: test/cluster. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { freePort } from '../harness/free-port.ts'
import { startDns } from '../harness/servers/dns.ts'
import { type Haproxy, startHaproxy } from '../harness/servers/haproxy.ts'

/** Starts a server that says its address. */
async function start(t: Test, address: string, port: number): Promise<string> {
  const server = createServer((_req, res) => void res.end(address))
  await once(server.listen(port, address), 'listening')
  t.teardown(() => {
    server.close()
    server.closeIdleConnections()
  })
  return address
}

/** Asks until these answers, and no others, came to as many requests in turn. */
async function onlyAnswers(haproxy: Haproxy, addresses: readonly string[]): Promise<void> {
  const expected = addresses.toSorted()
  for (let same = false; !same; ) {
    const all = []
    for (let n = 0; n < 6; n++) all.push(await (await fetch(haproxy.base)).text())
    same = `${[...new Set(all)].sort()}` === `${expected}`
  }
}

t.test('it finds the nodes by DNS, those that come later too', async (t) => {
  const port = await freePort()
  const [first, second, third] = await Promise.all([1, 2, 3].map((n) => start(t, `127.0.0.${n}`, port)))
  const dns = await startDns()
  t.teardown(() => dns[Symbol.asyncDispose]())
  dns.names.set('athanor', ['127.0.0.1', '127.0.0.2'])
  // As the example has it, with another port and another DNS server.
  const haproxy = await startHaproxy([], (config) =>
    config.replace('athanor:3000', `athanor:${port}`).replace('127.0.0.11:53', dns.address),
  )
  t.teardown(() => haproxy[Symbol.asyncDispose]())
  await onlyAnswers(haproxy, [first!, second!])
  dns.names.set('athanor', ['127.0.0.1', '127.0.0.2', '127.0.0.3'])
  await onlyAnswers(haproxy, [first!, second!, third!])
  dns.names.set('athanor', ['127.0.0.3'])
  await onlyAnswers(haproxy, [third!])
  t.equal((await haproxy.working()).length, 1)
})
