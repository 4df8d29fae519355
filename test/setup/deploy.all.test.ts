/** The files for operators, read by the programs that they are for. Those of proxies: proxies.all.test.ts. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../config/load.ts'
import { removeFolder } from '../harness/folder.ts'

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
    const { stdout } = await run('docker-compose', ['-f', `compose-${name}.yaml`, 'config'], { env, cwd: deploy })
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
    const args = '--ignoreConfig --noEmit --strict --module nodenext --types'.split(' ')
    return run(join(root, 'node_modules/.bin/tsc'), [...args, '', file]).then(
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

t.test('the files for Traefik fit together', async (t) => {
  const read = async (name: string) => parse(await readFile(join(deploy, name), 'utf8'))
  const { entryPoints, providers, certificatesResolvers } = await read('traefik.yaml')
  const { routers, services } = (await read('traefik-site.yaml')).http
  t.equal(providers.file.filename, '/etc/traefik/traefik-site.yaml')
  t.ok(entryPoints[entryPoints.web.http.redirections.entryPoint.to])
  for (const { entryPoints: named, service, tls } of Object.values<any>(routers))
    t.ok(named.every((one: string) => entryPoints[one]) && services[service] && certificatesResolvers[tls.certResolver])
})
