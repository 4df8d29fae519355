/** Who can read the metrics of a running service. */
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../harness/free-port.ts'
import { startAthanor } from '../harness/program.ts'

const TOKEN = 'a token for metrics'
const PRODUCTION = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }

/** Only the stub's engine is configured, so a start takes a second. */
const names = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']
const plugins = {
  ...Object.fromEntries(names.map((name) => [name, false])),
  [join(import.meta.dirname, '../stub-plugin')]: true,
}

async function start(t: Test, config: object = {}, env: Record<string, string> = {}) {
  const service = await startAthanor(
    join(t.testdir({ data: {} }), 'data'),
    { sandbox: 'none', plugins, ...config },
    env,
  )
  t.teardown(() => service.end('SIGTERM'))
  return service
}
type Test = import('tap').Test
const ask = async (base: string, authorization?: string) => {
  const answer = await fetch(`${base}/metrics`, { headers: { ...(authorization && { authorization }) } })
  return { status: answer.status, text: await answer.text() }
}

t.test('in production, metrics are closed unless configured', async (t) => {
  const { base } = await start(t, {}, PRODUCTION)
  for (const authorization of [undefined, `Bearer ${TOKEN}`, 'Bearer undefined']) {
    t.match(await ask(base, authorization), { status: 404, text: /"NOT_FOUND"/ })
  }
})

t.test('by a token, also from the environment', async (t) => {
  const { base } = await start(
    t,
    { metrics: { token: 'another in the file' } },
    { ...PRODUCTION, METRICS_TOKEN: TOKEN },
  )
  t.match(await ask(base, `Bearer ${TOKEN}`), { status: 200, text: /^athanor_build_info\{/m })
  for (const wrong of [undefined, 'Bearer ', TOKEN, `Bearer ${TOKEN}x`, 'Bearer another in the file']) {
    const { status, text } = await ask(base, wrong)
    t.equal(status, 401, wrong ?? 'without one')
    t.notMatch(text, /athanor_/)
  }
})

t.test('on a separate port', async (t) => {
  const port = await freePort()
  const { base, log } = await start(t, { metrics: { port } }, PRODUCTION)
  const own = `http://127.0.0.1:${port}`
  t.match(await ask(own), {
    status: 200,
    text: /^athanor_http_request_duration_seconds_count\{operation="getReadiness"/m,
  })
  t.equal((await ask(base)).status, 404, 'which the public one is not')
  for (const path of ['/', '/api/tools', '/metrics/x']) t.equal((await fetch(own + path)).status, 404, path)
  t.equal((await fetch(`${own}/metrics`, { method: 'POST' })).status, 405)
  t.notMatch(log(), /uncaught/)
})

t.test('with a token on a separate port', async (t) => {
  const port = await freePort()
  const { base } = await start(t, { metrics: { port, token: TOKEN } })
  t.equal((await ask(`http://127.0.0.1:${port}`)).status, 401)
  t.equal((await ask(`http://127.0.0.1:${port}`, `Bearer ${TOKEN}`)).status, 200)
  t.equal((await ask(base, `Bearer ${TOKEN}`)).status, 404)
})

t.test('in development: on loopback, and not on addresses that others can reach', async (t) => {
  t.equal((await ask((await start(t)).base)).status, 200)
  t.equal((await ask((await start(t, {}, { HOST: '0.0.0.0' })).base)).status, 404)
})
