/** The npm package for plugin authors, as installed: packed, installed into an empty folder, used from there. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startRegistry } from '../harness/servers/registry.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')
const folder = mkdtempSync('/var/tmp/athanor-sdk-')
const registry = await startRegistry()
t.teardown(async () => {
  await registry[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  npm_config_registry: registry.url,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

// Built separately, because another test may build the package in its usual folder.
execFileSync(join(bin, 'tsc'), ['-p', join(root, 'sdk'), '--outDir', join(folder, 'sdk/dist')], { env })
cpSync(join(root, 'sdk/package.json'), join(folder, 'sdk/package.json'))
const packed = execFileSync('npm', ['pack', './sdk', '--json'], { cwd: folder, env, encoding: 'utf8' })
const [{ filename, files }] = JSON.parse(packed)
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
// Not synchronous, because the registry runs in this process.
await promisify(execFile)('npm', ['install', `./${filename}`], { cwd: folder, env })

const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

t.test('it holds the contract and the conformance tests, and nothing else', async (t) => {
  const own = manifest(join(root, 'sdk/package.json'))
  const { version, dependencies, devDependencies, engines } = manifest(join(root, 'package.json'))
  t.strictSame([own.version, own.engines], [version, engines])
  const known = { ...dependencies, ...devDependencies }
  for (const [name, wanted] of Object.entries(own.dependencies)) t.equal(wanted, known[name], name)
  const strange = files.filter(({ path }: { path: string }) => !/^(package\.json|dist\/.+\.(js|d\.ts))$/.test(path))
  t.strictSame(strange, [])
  t.ok(existsSync(join(folder, 'node_modules/athanor/dist/sdk/conformance.js')))
})

t.test('its conformance tests find what is wrong', async (t) => {
  const plugin = (mime: string) => `
const engine = { name: 'pen', binary: ['pen'], version: ['-v'], argv: (job, args) => [job.input, job.output, args] }
export default { category: 'note', formats: { abc: { mime: '${mime}' } }, options: {},
  routes: [{ from: ['txt'], to: ['abc'], engine, args: () => [] }] }`
  const check = (mime: string) => {
    writeFileSync(join(folder, 'index.js'), plugin(mime))
    const text =
      "import { conformance } from 'athanor/conformance'\nimport plugin from './index.js'\nawait conformance(plugin)"
    writeFileSync(join(folder, 'index.test.js'), text)
    // Node marks child processes of its test runner. This one must not look like one.
    return spawnSync(process.execPath, ['--test', 'index.test.js'], { cwd: folder, env, encoding: 'utf8' })
  }
  t.equal(check('text/vnd.abc').status, 0)
  const faulty = check('abc')
  t.equal(faulty.status, 1)
  t.match(faulty.stdout, 'formats.abc.mime must be a media type such as "image/png", not "abc"')
})

t.test('the types are strict, in a separate folder', async (t) => {
  writeFileSync(
    join(folder, 'typed.ts'),
    `import type { Engine, Plugin, PluginFactory } from 'athanor/contract'
${''}import { conformance, examine } from 'athanor/conformance'
const engine: Engine = { name: 'pen', binary: ['pen'], version: [], argv: (job, args) => [job.input, args] }
const plugin: Plugin<{ level?: number }> = {
  category: 'note',
  formats: { abc: { mime: 'text/vnd.abc' } },
  options: { level: { type: 'integer', description: 'Level.' } },
  routes: [{ from: ['txt'], to: ['abc'], engine, args: ({ options }) => [options.level?.toFixed()] }],
}
// @ts-expect-error: an option without its schema
const lacking: Plugin<{ level?: number }> = { ...plugin, options: {} }
// @ts-expect-error: no such key
const unknown: Engine = { ...engine, argvs: [] }
export const factory: PluginFactory = ({ engines }) => ({ ...plugin, wanted: Object.keys(engines) })
export const used = [lacking, unknown, conformance(plugin), examine(plugin)]
`,
  )
  const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', '', 'typed.ts']
  const { status, stdout } = spawnSync(join(bin, 'tsc'), args, { cwd: folder, env, encoding: 'utf8' })
  t.equal(status, 0, stdout)
})
