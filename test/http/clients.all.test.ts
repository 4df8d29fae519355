/**
 * The OpenAPI document as client developers use it: linters find no error, and three generators make clients from it
 * that compile in strict mode, without casts, and convert a file.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { get, STUB, serviceOf } from '../harness/service.ts'

const clients = join(import.meta.dirname, '..', 'clients')
/** Folder of the tools. They are not dependencies of the project, and are installed once. */
const tools = join(import.meta.dirname, '../../.tap/clients')
const manifests = ['package.json', 'package-lock.json']
const textOf = (place: string) =>
  Promise.all(manifests.map((name) => readFile(join(place, name), 'utf8').catch(() => ''))).then(String)
if ((await textOf(tools)) !== (await textOf(clients)) || !existsSync(join(tools, 'node_modules/.bin/orval'))) {
  await mkdir(tools, { recursive: true })
  for (const name of manifests) await cp(join(clients, name), join(tools, name))
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tools })
}
const folder = t.testdir()
const document = join(folder, 'openapi.json')
const service = await serviceOf(t)
await writeFile(document, (await get(service, '/api/openapi.json')).body)
await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
for (const name of ['generate.mjs', 'orval.config.mjs', 'spectral.yaml'])
  await cp(join(clients, name), join(folder, name))
await cp(join(clients, 'programs'), folder, { recursive: true })
await mkdir(join(folder, 'out'))
// Generated code imports without file extensions, as CommonJS allows.
await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}')

const env = { ...process.env, DOCUMENT: document, OUTPUT: join(folder, 'orval-client.ts'), BASE_URL: service.base }

/** Runs one of the tools. If it fails, the error contains its output. */
async function run(...[tool, ...args]: [string, ...string[]]): Promise<string> {
  const program = tool === 'node' ? process.execPath : join(tools, 'node_modules/.bin', tool)
  try {
    return (await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 1e7 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${tool}: ${stdout}${stderr}`.slice(0, 5000))
  }
}

t.test('redocly and spectral find no error', async (t) => {
  await run('redocly', 'lint', document)
  t.match(await run('spectral', 'lint', document, '-r', 'spectral.yaml'), /0 errors|No results/)
})

t.test('generated clients compile in strict mode and convert a file', async (t) => {
  await run('node', 'generate.mjs', document, join(folder, 'schema.ts'))
  await run('openapi-ts', '-i', document, '-o', join(folder, 'hey'), '-c', '@hey-api/client-fetch')
  await run('orval', '--config', 'orval.config.mjs')
  const programs = ['openapi-fetch', 'hey-api', 'orval']
  await cp(join(clients, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  await run('tsc', '-p', folder, '--outDir', join(folder, 'out'))
  for (const name of programs) {
    const { convert } = createRequire(import.meta.url)(join(folder, 'out', `${name}.js`))
    t.match(await convert(service.base, new Blob([STUB])), /^BUST/, name)
  }
})
