import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { makeJob, makeSource, processesWith, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const worker = `
import { createInterface } from 'node:readline'
import sharp from 'sharp'
console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const [input, output] = JSON.parse(line)
  await sharp(input).jpeg().toFile(output)
  console.log('{"done":true}')
}
`
const modules = join(import.meta.dirname, '..', '..', 'node_modules')

function reachable(): boolean {
  try {
    execFileSync('/usr/bin/test', ['-x', process.execPath], { ...unprivilegedUser() })
    return true
  } catch {
    return false
  }
}

t.test('a warm Node process', { skip: !reachable() && 'engines’ user cannot reach the checkout' }, async (t) => {
  const { sandboxes, dataDir } = await startSandboxes(t, (settings) => ({
    ...settings,
    limits: { ...settings.limits, memory: 1024 ** 3 },
  }))
  const engine: Engine = {
    name: 'node',
    binary: [process.execPath],
    version: ['--version'],
    argv: (job) => [job.input, job.output],
    sandbox: {
      binds: [dirname(process.execPath), modules],
      mounts: [[await makeSource(dataDir, worker, 'worker.mjs'), join(modules, '..', 'worker.mjs')]],
      addressSpace: 0,
    },
    warm: { argv: [join(modules, '..', 'worker.mjs')], jobs: 100 },
  }
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const picture = sharp({ create: { width: 1000, height: 1000, channels: 3, background: 'red', noise } })
  const source = await makeSource(dataDir, await picture.png().toBuffer(), 'source.png')
  sandboxes.warm(new Map([[engine, { path: process.execPath, version: '24', features: '' }]]))
  await until(async () => (await processesWith('worker.mjs')).length > 0)

  for (let job = 0; job < 3; job++) {
    await using box = await sandboxes.open('a', [engine])
    await box.place(source, 'file.png')
    await box.run(engine, process.execPath, makeJob({ to: 'jpg', output: '/out/file.jpg' }), [], () => {})
    const result = await box.result('file.jpg')
    const { format, width, height } = await sharp(result?.path).metadata()
    t.match({ format, width, height }, { format: 'jpeg', width: 1000, height: 1000 })
  }
})
