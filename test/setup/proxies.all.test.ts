/** The files for reverse proxies, in front of a real service in production. Traefik's: deploy.all.test.ts. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { folderOf } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'
import { startAthanor } from '../harness/program.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { startChild } from '../harness/servers/child.ts'
import { startHaproxy } from '../harness/servers/haproxy.ts'
import { unpacked } from '../harness/unpacked.ts'
import { until } from '../harness/until.ts'

const deploy = join(import.meta.dirname, '../../config/deploy')
const run = promisify(execFile)
const HOST = 'convert.example.org'
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

/** Starts a service in production that trusts a proxy at 127.0.0.1. */
async function behindProxy(t: Test, folder: string, env: NodeJS.ProcessEnv = {}) {
  const production = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startAthanor(join(folder, 'data'), {}, { ...production, ...env })
  t.teardown(() => service.end('SIGKILL'))
  return service
}

/** Starts a proxy, which ends with the test. Returns what it has written so far. */
async function startProxy(t: Test, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<() => string> {
  // Clients try again until it answers.
  const proxy = await startChild(command, async () => true, { env: { ...process.env, ...env } })
  t.teardown(() => proxy.stop())
  return proxy.log
}

/** A site of the examples on this machine. */
interface Site {
  folder: string
  cert: string
  key: string
  /** The service. */
  target: string
  http: number
  https: number
  /** Such as `/convert`: the site is changed as its comment says. */
  path: string
}

async function startNginx(t: Test, { folder, cert, key, target, http, https, path }: Site): Promise<() => string> {
  const below = path ? `${path}/` : ''
  const site = read('nginx.conf')
    .replace('listen 80', `listen 127.0.0.1:${http}`)
    .replace('listen [::]:80', `listen [::1]:${http}`)
    .replace('listen 443', `listen 127.0.0.1:${https}`)
    .replace('listen [::]:443', `listen [::1]:${https}`)
    .replace('/etc/ssl/convert.pem', cert)
    .replace('/etc/ssl/convert.key', key)
    .replaceAll('/var/log/nginx', folder)
    .replace('location / {', `location ${below || '/'} {`)
    .replace('proxy_pass http://127.0.0.1:3000;', `proxy_pass ${target}${below && '/'};`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  const file = join(folder, 'nginx.conf')
  await writeFile(file, `pid ${folder}/pid; events {} http { ${paths.join(' ')}\n${site} }`)
  const program = await unpacked('nginx', 'usr/sbin/nginx', folder)
  const said = await startProxy(t, [program, '-c', file, '-g', 'daemon off;', '-e', 'stderr'])
  const logged = (name: string) => readFileSync(join(folder, name), 'utf8')
  return () => `${said()}${logged('athanor.log')}${logged('athanor-error.log')}`
}

async function startCaddy(t: Test, { folder, cert, key, target, http, https, path }: Site): Promise<() => string> {
  const passed = `reverse_proxy ${target.slice('http://'.length)}`
  const below = path && `redir ${path} ${path}/\n  handle_path ${path}/* {\n    ${passed}\n  }`
  const site = read('Caddyfile')
    .replace('{\n', `{\n  admin off\n  http_port ${http}\n  https_port ${https}\n`)
    .replace(`${HOST} {\n`, `${HOST} {\n  tls ${cert} ${key}\n`)
    .replace('reverse_proxy 127.0.0.1:3000', below || passed)
  const file = join(folder, 'Caddyfile')
  await writeFile(file, site)
  const program = await unpacked('caddy', 'usr/bin/caddy', folder)
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return startProxy(t, [program, 'run', '--adapter', 'caddyfile', '--config', file], home)
}

for (const [name, start] of Object.entries({ nginx: startNginx, Caddy: startCaddy }))
  for (const path of ['', '/convert'])
    t.test(`${name} in front of the service${path && `, below ${path}`}`, async (t) => {
      const folder = await folderOf(t)
      const { key, cert } = makeCertificate(folder)!
      const http = await freePort()
      const https = await freePort()
      const base = `https://${HOST}:${https}${path}`
      const service = await behindProxy(t, folder, path ? { PUBLIC_URL: base } : {})
      const log = await start(t, { folder, cert, key, target: service.base, http, https, path })

      const at = (address: string) => [http, https].flatMap((port) => ['--resolve', `${HOST}:${port}:${address}`])
      // From another address than that of the proxy, with a header that lies about it.
      const options = ['--cacert', cert, '--interface', '127.0.0.2', '-H', 'X-Forwarded-For: 203.0.113.7']
      const link = await convertAt(t, base, folder, [...options, ...at('127.0.0.1')])
      const curl = async (...args: string[]) => (await run('curl', ['-s', '--cacert', cert, ...args])).stdout

      const signIn = ['--json', '{"email":"a@b.example","password":"x"}', `${base}/api/auth/login`]
      await curl(...options, ...at('127.0.0.1'), ...signIn)
      t.match(service.log(), /"address":"127\.0\.0\.2"/, 'the service knows the address of the client')

      const version = ['-o', '/dev/null', '-w', '%{http_version} %{http_code}']
      const where = ['-o', '/dev/null', '-w', '%{redirect_url}']
      for (const address of ['127.0.0.1', '[::1]']) {
        t.equal(await curl(...at(address), ...version, `${base}/api/formats`), '2 200', `HTTP/2 at ${address}`)
        t.match(await curl(...at(address), ...where, `http://${HOST}:${http}/docs`), /^https:.*\/docs$/, 'port 80')
      }

      const html = await curl(...at('127.0.0.1'), '-L', '-H', 'Accept: text/html', path ? base : `${base}/`)
      const parts = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, part]) => new URL(part!, `${base}/`).href)
      t.ok(parts.length > 3, 'the page')
      for (const part of parts) t.equal(await curl(...at('127.0.0.1'), ...version, part), '2 200', part)

      await service.end('SIGKILL')
      t.match(await curl(...at('127.0.0.1'), ...version, link), /502$/)
      await until(() => /502/.test(log()))
      t.match(log(), `${path}/api/files/`, 'the log has paths')
      t.notMatch(log(), new URL(link).searchParams.get('token'), 'and no tokens')
    })

t.test('HAProxy accepts its file, and passes on what nodes need', async (t) => {
  const folder = await folderOf(t)
  await run('/usr/sbin/haproxy', ['-c', '-f', join(deploy, 'haproxy.cfg')])
  const service = await behindProxy(t, folder)
  const haproxy = await startHaproxy([`server node ${new URL(service.base).host} check`])
  t.teardown(() => haproxy[Symbol.asyncDispose]())
  const origin = ['-H', 'X-Forwarded-Proto: https', '-H', `X-Forwarded-Host: ${HOST}`]
  const options = [...origin, '-H', 'X-Forwarded-For: 203.0.113.7']
  const link = await convertAt(t, haproxy.base, folder, options)
  await until(() => haproxy.log().includes('/api/files/'))
  t.notMatch(haproxy.log(), new URL(link).searchParams.get('token'), 'its log has no tokens')
})

/**
 * Uploads, converts and downloads 3.6 MB through a proxy, and follows the conversion by events. Returns the link.
 *
 * @param options Of curl.
 */
async function convertAt(t: Test, base: string, folder: string, options: readonly string[]) {
  const common = ['-s', '--fail-with-body', ...options, '--retry', '30', '--retry-delay', '1', '--retry-connrefused']
  const curl = async (...args: string[]) => (await run('curl', [...common, ...args], { maxBuffer: 2 ** 26 })).stdout
  // nginx takes 1 MB by default.
  const text = 'Once upon a time.\n'.repeat(200_000)
  await writeFile(join(folder, 'a.stub'), `STUB\n${text}`)
  const upload = JSON.parse(await curl('-F', `file=@${join(folder, 'a.stub')}`, `${base}/api/uploads`))

  const events = spawn('curl', [...common, '-N', `${base}/api/events`])
  t.teardown(() => events.kill())
  let heard = ''
  events.stdout.on('data', (data) => (heard += data))
  const start = JSON.stringify({ fileId: upload.file.fileId, toFormat: 'bust' })
  const started = await curl('-i', '--json', start, `${base}/api/conversions`)
  const { conversionId } = JSON.parse(started.split('\r\n\r\n').at(-1)!)
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/api/conversions/${conversionId}`
  t.match(started, new RegExp(`^location: ${path}\r$`, 'im'))
  const { conversion } = JSON.parse(await curl(`${base}/api/conversions/${conversionId}?wait=30`))
  t.equal(conversion.status, 'completed')
  await until(() => heard.includes('"status":"completed"'))
  t.equal(events.exitCode, null, 'the stream of events, which goes on, is not held back')

  const { protocol, hostname, pathname, search } = new URL(conversion.outputUrl)
  t.equal(`${protocol}//${hostname}`, `https://${HOST}`)
  const link = new URL(base).origin + pathname + search
  t.equal((await curl(link)).length, conversion.outputSize)
  const whole = await readFile(join(folder, 'a.stub'), 'utf8')
  t.ok(whole.includes((await curl('-r', '2000000-2000099', link)).slice(0, 100)), 'a part of it')
  t.equal((await curl('-r', '2000000-2000099', link)).length, 100)
  return link
}
