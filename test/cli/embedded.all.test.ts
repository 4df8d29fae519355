/** The service that the command line starts for itself. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { giveProbes, keepProbes } from '../harness/probes.ts'
import { descendants, untilGone } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { finished, start } from './command.ts'

t.test('without a service', { timeout: 600_000 }, async (t) => {
  const folder = await folderOf(t)
  const cache = join(folder, '.cache')
  const parent = join(folder, 'services')
  await mkdir(parent)
  await giveProbes(join(cache, 'athanor'))
  // Variables of another service do not matter.
  const env = { HOME: folder, TMPDIR: parent, DATABASE_URL: 'mysql://nobody@127.0.0.1:9/none', NODE_ENV: 'production' }
  const source = join(folder, 'dot.png')
  const red = { create: { width: 2000, height: 2000, channels: 3, background: 'red' } } as const
  await writeFile(source, await sharp(red).png().toBuffer())

  await t.test('one is started for the command', async (t) => {
    const result = join(folder, 'dot.webp')
    const { code, stdout, stderr } = await finished(start(env, source, result, '--quality', '50'))
    t.match({ code, stdout: stdout.toString(), stderr }, { code: 0, stdout: `${source} -> ${result}\n`, stderr: '' })
    t.equal((await sharp(await readFile(result)).metadata()).format, 'webp')
    t.strictSame(await readdir(parent), [], 'nothing of it is left')
    await keepProbes(join(cache, 'athanor'))
    const found = await finished(start(env, '--candidates', 'fish', source, '--to', 'av'))
    t.equal(found.stdout.toString(), 'avif\n', 'its formats are known later')
  })

  await t.test('none is needed to refuse a command line', async (t) => {
    const { code, stderr } = await finished(start(env, join(folder, 'missing.png'), join(folder, 'x.webp')))
    t.match({ code, stderr }, { code: 1, stderr: /no such file/ })
    t.match(await finished(start(env, source, '--to')), { code: 2 })
  })

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const) {
    await t.test(`it does not outlive a command that ends by ${signal}`, async (t) => {
      // The largest effort: it would take minutes.
      const child = start(env, '-y', source, join(folder, 'dot.avif'), '--lossless', '--max-width', '2000')
      await until(async () => (await readdir(parent)).length === 1)
      const [name = ''] = await readdir(parent)
      await until(async () => (await readdir(join(parent, name))).includes('socket'))
      const all = descendants(child.pid!)
      t.ok(all.length > 0)
      child.kill(signal)
      t.equal((await finished(child)).code, code)
      t.not(await untilGone(all, 20_000), undefined)
      await until(async () => (await readdir(parent)).length === 0, 20_000)
    })
  }

  await t.test('it refuses a data folder that others use', async (t) => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'athanor.sqlite'), '')
    const service = spawn('sh', ['config/run.sh', 'kernel/main.ts', '--embedded'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH, DATA_DIR: data },
    })
    t.match(await finished(service), { code: 78, stderr: /data is not empty, and --embedded would remove it/ })
    t.strictSame(await readdir(data), ['athanor.sqlite'])
  })

  await t.test('why it cannot start is said', async (t) => {
    const TMPDIR = join(folder, 'missing')
    const { code, stderr } = await finished(start({ ...env, TMPDIR }, source, join(folder, 'y.webp')))
    t.match({ code, stderr }, { code: 3, stderr: `athanor: TMPDIR: ${TMPDIR} cannot be written (ENOENT).\n` })
  })
})
