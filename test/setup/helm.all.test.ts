/**
 * The chart for Helm. Debian has no Helm. Caddy renders the templates: like Helm, it uses Go's text/template with the
 * functions of Sprig.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { folderOf } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'
import { startChild } from '../harness/servers/child.ts'
import { unpacked } from '../harness/unpacked.ts'

const deploy = join(import.meta.dirname, '../../config/deploy')
const chart = join(deploy, 'helm')
const read = (path: string) => readFile(path, 'utf8')
const names = await readdir(join(chart, 'templates'))
const values = parse(await read(join(chart, 'values.yaml')))
const folder = await folderOf(t)
const site = join(folder, 'site')
await mkdir(site)
const port = await freePort()
const caddyfile = `{
  admin off
}
:${port} {
  root * ${site}
  templates {
    mime text/plain
  }
  file_server
}
`
await writeFile(join(folder, 'Caddyfile'), caddyfile)
const program = await unpacked('caddy', 'usr/bin/caddy', folder)
const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
const answers = () => fetch(`http://127.0.0.1:${port}/`)
const caddy = await startChild([program, ...args], answers, { env: { HOME: folder }, stdio: 'ignore' })
t.teardown(() => caddy.stop())

/** Renders all templates as Helm does, by kind. */
async function render(values: object, release = 'athanor'): Promise<Record<string, any>> {
  const manifests = await Promise.all(
    names.map(async (name) => {
      const context = JSON.stringify({ Values: values, Release: { Name: release } })
      const template = `{{ define "it" }}${await read(join(chart, 'templates', name))}{{ end }}`
      await writeFile(join(site, `${name}.txt`), `${template}{{ template "it" (fromJson \`${context}\`) }}`)
      const answer = await fetch(`http://127.0.0.1:${port}/${name}.txt`)
      return parse(await answer.text())
    }),
  )
  return Object.fromEntries(manifests.filter(Boolean).map((manifest) => [manifest.kind, manifest]))
}

t.test('with its own values, it is the manifest that is checked elsewhere', async (t) => {
  const manifests = parseAllDocuments(await read(join(deploy, 'kubernetes.yaml'))).map((one) => one.toJS())
  t.strictSame(await render(values), Object.fromEntries(manifests.map((manifest) => [manifest.kind, manifest])))
})

t.test('with other values', async (t) => {
  const env = [{ name: 'ATHANOR_ONLY', value: 'image' }]
  const ingress = { ...values.ingress, enabled: false }
  const { Deployment, Service, Ingress } = await render({ ...values, env, ingress, host: 'files.example' }, 'other')
  t.equal(Ingress, undefined)
  t.equal(Service.spec.selector.app, Deployment.spec.template.metadata.labels.app)
  const [container] = Deployment.spec.template.spec.containers
  t.strictSame(container.env.at(-1), env[0])
  t.match(container.env, [{ name: 'PUBLIC_URL', value: 'https://files.example' }])
})

t.test('it has the version of the service', async (t) => {
  const { version, appVersion } = parse(await read(join(chart, 'Chart.yaml')))
  const { version: own } = JSON.parse(await read(join(deploy, '../../package.json')))
  t.strictSame({ version, appVersion }, { version: own, appVersion: own })
})
