/**
 * Imports do not use a proxy from the environment: it would look names up itself, and reach what the service may not.
 */
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { startAthanor } from '../harness/program.ts'
import { startDns } from '../harness/servers/dns.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { refusal, STUB } from '../harness/service.ts'

t.test('the service connects by itself', async (t) => {
  await using proxy = await startOrigin((_req, res) => void res.end(STUB))
  await using open = await startOrigin((_req, res) => void res.end(STUB))
  await using dns = await startDns()
  dns.names.set('good.example', ['127.0.0.1'])
  dns.names.set('bad.example', ['127.0.0.2'])
  const env = Object.fromEntries(
    ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, proxy.base]),
  )
  const config = { imports: { allowNetworks: ['127.0.0.1'], nameServers: [dns.address] }, sandbox: 'none' }
  const more = { ...env, NODE_USE_ENV_PROXY: '1', NO_PROXY: '' }
  const service = await startAthanor(join(await folderOf(t), 'data'), config, more)
  t.teardown(() => service.end('SIGKILL'))
  const ask = (name: string) => service.call('POST', '/api/import/url', { url: `http://${name}:${open.port}/a.stub` })
  t.equal((await ask('good.example')).status, 201)
  t.equal(open.requests.length, 1)
  t.match(await ask('bad.example'), refusal(400, 'URL_NOT_ALLOWED'))
  t.equal(proxy.requests.length, 0)
  await service.end('SIGTERM')
})
