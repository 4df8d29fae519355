/**
 * The package in Bun and Deno. Each is 100 MB, too much for everybody who tests, so npm gets them here. Without a
 * registry, this is skipped.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { STUB, serviceOf } from '../harness/service.ts'
import { packClient, run } from './packed.ts'

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

t.test('the package', { timeout: 600_000 }, async (t) => {
  const folder = await folderOf(t)
  const { project } = await packClient(folder)
  const unlimited = { conversionsPerDay: null, pendingJobs: null, maxFileSize: null, bytesPerDay: null }
  const service = await serviceOf(t, {
    change: (config) => {
      config.plans.guest = { ...config.plans.guest, ...unlimited }
    },
  })
  await writeFile(join(project, 'note.stub'), STUB)
  await writeFile(join(project, 'program.mjs'), `import process from 'node:process'\n${PROGRAM}`)
  for (const { name, command, args } of RUNTIMES) {
    await t.test(name, async (t) => {
      const own = join(folder, command.replace('/', '-'))
      await mkdir(own)
      const got = await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, name], folder).catch(
        ({ stderr }) => String(stderr),
      )
      if (typeof got === 'string') return t.comment(`not tested: ${got}`)
      const program = join(own, 'node_modules', name.slice(0, name.lastIndexOf('@')), command)
      const { stdout } = await run(program, [...args, 'program.mjs'], project, { ATHANOR_URL: service.base })
      t.match(JSON.parse(stdout), {
        size: 25e6 + 4,
        failures: ['ENCRYPTED_INPUT', 'ENCRYPTED_INPUT', 'ENOENT'],
        gone: 'NOT_FOUND',
        aborted: 'TimeoutError',
      })
      t.match(JSON.parse(stdout).phases, ['upload'])
      t.match(await readFile(join(project, 'note.bust'), 'utf8'), /^BUST/)
      return undefined
    })
  }
})
