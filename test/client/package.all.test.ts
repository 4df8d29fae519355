/** The package as its users have it: built, packed, installed into an empty project, typed, and in other runtimes. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { STUB, serviceOf } from '../harness/service.ts'

const root = join(import.meta.dirname, '../..')
const run = (command: string, args: string[], cwd: string, env: object = {}) =>
  promisify(execFile)(command, args, { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env } })

const folder = await folderOf(t)
const built = join(folder, 'client')
await mkdir(built)
for (const name of ['package.json', 'README.md']) await cp(join(root, 'client', name), join(built, name))
await run(process.execPath, [join(root, 'client/build/bundle.mjs'), built], root)
const packed = await run('npm', ['pack', built, '--pack-destination', folder, '--json'], folder)
const [{ filename, files: packedFiles }] = JSON.parse(packed.stdout)
const files: string[] = packedFiles.map(({ path }: { path: string }) => path)
const project = join(folder, 'project')
await mkdir(project)
await writeFile(join(project, 'package.json'), '{"name":"mine","type":"module","private":true}')
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], project)

const service = await serviceOf(t, {
  engines: true,
  change: (config) => {
    Object.assign(config.plugins, { document: true, image: true })
    const unlimited = { conversionsPerDay: null, pendingJobs: null, maxFileSize: null, bytesPerDay: null }
    Object.assign(config.plans.guest, unlimited)
  },
})

t.test('it is small, and has no dependencies', async (t) => {
  const scripts = files.filter((path) => path.endsWith('.js'))
  t.ok(
    scripts.some((path) => path.includes('/parts-')),
    'uploads in parts are a file of their own',
  )
  const first = scripts.filter((path) => !path.includes('/parts-'))
  const bytes = await Promise.all(first.map((path) => readFile(join(built, path))))
  const size = bytes.reduce((sum, script) => sum + brotliCompressSync(script).length, 0)
  t.ok(size <= 8192, `${size} bytes`)
  const installed = await readdir(join(project, 'node_modules'), { recursive: true })
  t.notMatch(installed.join('\n'), /^(?!\.|@athanor)/m)
  t.ok(files.includes('README.md'))
})

t.test('its types', async (t) => {
  const check = async (code: string) => {
    const athanor =
      "import { Athanor } from '@athanor/client'\nconst athanor = new Athanor({ url: 'http://localhost' })"
    await writeFile(join(project, 'check.ts'), `${athanor}\n${code}\nexport {}\n`)
    const args = '--strict --noEmit --module nodenext --target es2022 --lib es2023,dom --types'.split(' ')
    return run(join(root, 'node_modules/.bin/tsc'), [...args, '', 'check.ts'], project).then(
      () => 'fits',
      ({ stdout }) => stdout as string,
    )
  }
  const sound = `const result = await athanor.convert('a.png', 'jpg', { quality: 80 })
const size: number = result.size
await athanor.convert('a', 'new-format', { anything: true })
for await (const done of athanor.convertAll(['a'], 'webp', { lossless: true, concurrency: 2 })) {
  if ('error' in done) throw done.error
  else await done.result.save('x')
}`
  t.equal(await check(sound), 'fits')
  t.match(await check(`await athanor.convert('a.png', 'jpg', { quality: 'high' })`), /quality|number/)
  t.match(await check(`await athanor.convert('a.png', 'jpg', { crf: 23 })`), /crf/)
  t.match(await check(`await athanor.convert(7, 'jpg')`), /Source/)
  for (const name of files.filter((path) => path.endsWith('.d.ts'))) {
    const text = (await readFile(join(built, name), 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '')
    t.notMatch(text, /: any\b|<any\b/, `${name}: nothing is without a type`)
  }
})

t.test('the examples of its README', async (t) => {
  await writeFile(join(project, 'notes.md'), '# Hello\n\nThis becomes a *page*.\n')
  const red = { create: { width: 8, height: 8, channels: 3, background: 'red' } } as const
  await writeFile(join(project, 'photo.png'), await sharp(red).png().toBuffer())
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
  t.equal(blocks.length, 4)
  await writeFile(join(project, 'examples.ts'), blocks.join('\n'))
  const env = { ATHANOR_URL: service.base, ATHANOR_API_KEY: undefined }
  const { stdout } = await run(process.execPath, ['examples.ts'], project, env)
  t.match(stdout, /processing \d+[\s\S]*photo\.jpg \d+/)
  t.match(await readFile(join(project, 'notes.html'), 'utf8'), /<h1/)
  for (const name of ['notes.pdf', 'photo.pdf'])
    t.match((await readFile(join(project, name))).toString('latin1', 0, 5), '%PDF-')
  t.match((await run('unzip', ['-Z1', 'all.zip'], project)).stdout, /notes\.html/)
  t.notMatch((await readdir(project)).join('\n'), /\.part$/m)
})

/** Each is 100 MB, too much for everybody who tests, so npm gets them here. */
const isArm = arch() === 'arm64'
const RUNTIMES = [
  { name: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64'}@1.4.5`, command: 'bin/bun', args: [] },
  { name: `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc@2.9.6`, command: 'deno', args: ['run', '--allow-all'] },
]

const PROGRAM = `import { Athanor, AthanorError, ConversionError } from '@athanor/client'
const athanor = new Athanor({ url: process.env.ATHANOR_URL })
const phases = new Set()
const result = await athanor.convert('note.stub', 'bust', { sleep: 3000, onProgress: ({ phase }) => phases.add(phase) })
await result.save('note.bust')
const large = new Blob(['STUB', new Uint8Array(25e6)])
const upload = await athanor.upload(large, { fileName: 'large.stub' })
const failures = []
for await (const done of athanor.convertAll(['note.stub', 'missing.stub', large], 'bust', { fail: 'encrypted' }))
  failures.push(done.error instanceof ConversionError ? done.error.code : done.error?.code)
const gone = await athanor.job('conv_none').done().catch((error) => error instanceof AthanorError && error.code)
const signal = AbortSignal.timeout(3000)
const aborted = await athanor.convert('note.stub', 'bust', { hang: true, signal }).catch((error) => error.name)
console.log(JSON.stringify({ phases: [...phases], size: upload.file.size, failures: failures.sort(), gone, aborted }))
`

for (const { name, command, args } of RUNTIMES)
  t.test(`${name}; without a registry, it is not tested`, async (t) => {
    await writeFile(join(project, 'note.stub'), STUB)
    await writeFile(join(project, 'program.mjs'), `import process from 'node:process'\n${PROGRAM}`)
    const own = join(folder, command.replace('/', '-'))
    await mkdir(own)
    const got = run('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, name], folder)
    const missing = await got.then(
      () => undefined,
      ({ stderr }) => String(stderr),
    )
    if (missing) return t.comment(missing)
    const program = join(own, 'node_modules', name.slice(0, name.lastIndexOf('@')), command)
    const { stdout } = await run(program, [...args, 'program.mjs'], project, { ATHANOR_URL: service.base })
    const failures = ['ENCRYPTED_INPUT', 'ENCRYPTED_INPUT', 'ENOENT']
    t.match(JSON.parse(stdout), { size: 25e6 + 4, failures, gone: 'NOT_FOUND', aborted: 'TimeoutError' })
    t.match(JSON.parse(stdout).phases, ['upload'])
    t.match(await readFile(join(project, 'note.bust'), 'utf8'), /^BUST/)
    return undefined
  })
