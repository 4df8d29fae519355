import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { memoryBelow } from '../../kernel/sandbox/limits/processes.ts'
import { newFolder, removeFolder } from '../harness/folder.ts'
import { descendants, programsOf } from '../harness/processes.ts'
import { startAthanor } from '../harness/program.ts'
import { until } from '../harness/until.ts'

const isSharp = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('bundles/sharp.mjs')

/** A service with the default spares, in a folder that the sandbox's user can enter. */
async function setUp(t: Test, config: object = {}) {
  const folder = await newFolder()
  const service = await startAthanor(join(folder, 'data'), { warm: {}, ...config })
  t.teardown(async () => {
    await service.end('SIGKILL')
    await removeFolder(folder)
  })
  return service
}

t.test('a process that has served its owner often has not grown', async (t) => {
  const service = await setUp(t, { plans: { guest: { conversionsPerDay: null, pendingJobs: null } } })
  const width = 1200
  const height = 900
  const channels = 3
  const picture = sharp(randomBytes(width * height * channels), { raw: { width, height, channels } }).png()
  const { fileId } = await service.upload(await picture.toBuffer(), 'noise.png')
  for (let job = 0; job < 25; job++) {
    t.match(await service.finish(await service.start(fileId, 'jpg')), { status: 'completed' })
  }
  const programs = programsOf(descendants(service.pid)).filter(isSharp)
  const sizes = await Promise.all(programs.map(memoryBelow))
  // With glibc's defaults, the one that served it would have more than 50 MB.
  t.ok(sizes.length >= 1 && Math.max(...sizes) < 36 * 1024 ** 2, `${sizes}`)
})

t.test('with the default settings, each warm engine has a spare before its first job', async (t) => {
  const service = await setUp(t)
  const ready = async () => {
    const text = await (await fetch(`${service.base}/metrics`)).text()
    return [...text.matchAll(/^athanor_warm_processes\{engine="([^"]+)",state="ready"\} (\d+)$/gm)].map(
      ([, engine, count]) => `${engine}: ${count}`,
    )
  }
  const expected = ['sharp', 'libreoffice', 'calibre', 'chromium'].map((engine) => `${engine}: 1`).sort()
  await until(async () => `${(await ready()).sort()}` === `${expected}`, 300_000)
  t.same((await ready()).sort(), expected)
})
