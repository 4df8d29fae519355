/** The files for operators: read by the programs that they are for, and nginx in front of a real service. */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { glob, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import t, { type Test } from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../config/load.ts'
import { folderOf, removeFolder } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'
import { startAthanor } from '../harness/program.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { startHaproxy } from '../harness/servers/haproxy.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'config/deploy')
const run = promisify(execFile)

t.test('systemd accepts the unit, and finds it protected', async (t) => {
  const unit = join(deploy, 'athanor.service')
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit])
  // It also complains of units of the machine.
  t.strictSame(
    `${stdout}${stderr}`.split('\n').filter((line) => line.includes('athanor.service')),
    [],
  )
  // Exposure in tenths, of 100; 92 without protection. NotifyAccess=all counts 2: engines cannot reach its socket.
  const { stdout: review } = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=41', unit])
  t.match(review, 'Overall exposure level for athanor.service')
  t.notMatch(await readFile(unit, 'utf8'), /^(ProtectKernelTunables|MemoryDenyWriteExecute)=/m, 'the sandbox works')
})

t.test('a linter finds nothing in the Containerfile', async (t) => {
  const text = await readFile(join(root, 'Containerfile'), 'utf8')
  const told = (text: string) => validate(text).map(({ message }) => message)
  t.strictSame(told(text), [])
  t.match(told(text.replace('EXPOSE', 'EXPOZE').replace('--start-period', '--begin')), [/EXPOZE/, /begin/])
})

for (const name of ['home', 'cluster'])
  t.test(`Compose accepts the file for a ${name}`, async (t) => {
    const secret = randomBytes(32).toString('hex')
    const env = { ...process.env, PASSWORD: secret, JWT_SECRET: secret }
    const { stdout } = await run('docker-compose', ['-f', join(deploy, `compose-${name}.yaml`), 'config'], { env })
    const { services } = parse(stdout)
    const { environment } = services.athanor
    t.match(environment, name === 'home' ? { ATHANOR_PROFILE: 'home' } : { STORAGE_URL: /^s3:/ })
    t.equal(loadConfig({ env: { NODE_ENV: 'production', ...environment }, argv: [] }).redisUrl, environment.REDIS_URL)
    for (const { build, image } of Object.values<any>(services))
      if (!build) t.match(image, /:v?\d+\.\d+/, `${image} has a version`)
  })

t.test('Compose asks for the secrets of a cluster', async (t) => {
  const file = join(deploy, 'compose-cluster.yaml')
  const env = { ...process.env, PASSWORD: 'word', JWT_SECRET: '' }
  await t.rejects(run('docker-compose', ['-f', file, 'config'], { env }), /set it in \.env/)
})

t.test('Kubernetes knows every field of the manifests', async (t) => {
  const folder = await mkdtemp(join(root, 'node_modules/.cache/kubernetes-'))
  t.teardown(() => removeFolder(folder))
  const manifests = parseAllDocuments(await readFile(join(deploy, 'kubernetes.yaml'), 'utf8')).map((one) => one.toJS())

  /** What TypeScript says of a manifest, by the types of Kubernetes' own schemas. */
  async function complaints(manifest: { apiVersion: string; kind: string }): Promise<string> {
    const { apiVersion, kind } = manifest
    const from = `import type { I${kind} } from 'kubernetes-models/${apiVersion}/${kind}'`
    const file = join(folder, `${kind}.ts`)
    await writeFile(file, `${from}\nexport const manifest: I${kind} = ${JSON.stringify(manifest)}\n`)
    const checked = run(join(root, 'node_modules/.bin/tsc'), [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--types',
      '',
      file,
    ])
    return checked.then(
      () => '',
      ({ stdout }) => stdout,
    )
  }

  t.strictSame(
    manifests.map(({ kind }) => kind),
    ['Deployment', 'PodDisruptionBudget', 'Service', 'Ingress'],
  )
  for (const manifest of manifests) {
    t.equal(await complaints(manifest), '', manifest.kind)
    const wrong = { ...manifest, spec: { ...manifest.spec, replica: 2 } }
    t.match(await complaints(wrong), /replica/, 'and would see a field that does not exist')
  }
})

t.test('HAProxy accepts its file, and passes on what nodes need', async (t) => {
  const folder = await folderOf(t)
  await run('/usr/sbin/haproxy', ['-c', '-f', join(deploy, 'haproxy.cfg')])
  const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startAthanor(join(folder, 'data'), {}, env)
  t.teardown(() => service.end('SIGKILL'))

  const haproxy = await startHaproxy([`server node ${new URL(service.base).host} check`])
  t.teardown(() => haproxy[Symbol.asyncDispose]())
  const { base } = haproxy
  const origin = ['-H', 'X-Forwarded-Proto: https', '-H', 'X-Forwarded-Host: convert.example.org']
  await convertAt(t, base, folder, [...origin, '-H', 'X-Forwarded-For: 203.0.113.7'], 'convert.example.org')
})

t.test('nginx in front of the service in production', async (t) => {
  const folder = await folderOf(t)
  const { key, cert } = makeCertificate(folder)!
  const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startAthanor(join(folder, 'data'), {}, env)
  t.teardown(() => service.end('SIGKILL'))

  const port = await freePort()
  const site = (await readFile(join(deploy, 'nginx.conf'), 'utf8'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/convert.pem', cert)
    .replace('/etc/ssl/convert.key', key)
    .replace('http://127.0.0.1:3000', service.base)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const whole = `pid ${folder}/pid; events {} http { access_log off; ${paths.join(' ')}\n${site} }`
  await writeFile(join(folder, 'nginx.conf'), whole)
  const nginx = spawn(await unpackedNginx(folder), [
    '-c',
    join(folder, 'nginx.conf'),
    '-g',
    'daemon off;',
    '-e',
    'stderr',
  ])
  nginx.stderr.on('data', (said) => t.comment(`${said}`))
  const ended = once(nginx, 'exit')
  t.teardown(async () => {
    // Its workers end with it.
    nginx.kill('SIGTERM')
    await ended
  })

  await convertAt(t, `https://127.0.0.1:${port}`, folder, ['--cacert', cert], '127.0.0.1')
})

/** Unpacks nginx from its package: if that were installed, it would serve port 80 from the next boot. */
async function unpackedNginx(folder: string): Promise<string> {
  await run('apt-get', ['download', 'nginx'], { cwd: folder })
  const [file] = await Array.fromAsync(glob('nginx_*.deb', { cwd: folder }))
  await run('dpkg', ['--extract', file!, 'nginx'], { cwd: folder })
  return join(folder, 'nginx/usr/sbin/nginx')
}

/**
 * Uploads, converts and downloads 3.6 MB through a proxy.
 *
 * @param options Of curl. @param host In the links of the service.
 */
async function convertAt(t: Test, base: string, folder: string, options: readonly string[], host: string) {
  const common = ['-s', '--fail-with-body', ...options, '--retry', '30', '--retry-delay', '1', '--retry-connrefused']
  const curl = async (...args: string[]) => (await run('curl', [...common, ...args], { maxBuffer: 2 ** 26 })).stdout
  // nginx takes 1 MB by default.
  const text = 'Once upon a time.\n'.repeat(200_000)
  await writeFile(join(folder, 'a.stub'), `STUB\n${text}`)
  const upload = JSON.parse(await curl('-F', `file=@${join(folder, 'a.stub')}`, `${base}/api/uploads`))
  const start = JSON.stringify({ fileId: upload.file.fileId, toFormat: 'bust' })
  const { conversionId } = JSON.parse(await curl('--json', start, `${base}/api/conversions`))
  const { conversion } = JSON.parse(await curl(`${base}/api/conversions/${conversionId}?wait=30`))
  t.equal(conversion.status, 'completed')
  t.ok(conversion.outputUrl.startsWith(`https://${host}/api/files/`), conversion.outputUrl)
  const { pathname, search } = new URL(conversion.outputUrl)
  t.equal((await curl(base + pathname + search)).length, conversion.outputSize)
}
