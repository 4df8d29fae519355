import { readdir } from 'node:fs/promises'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { MiB, makeJob, processesWith, python, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const exceeded = (what: RegExp) => ({ name: 'ConversionFailure', code: 'RESOURCE_LIMIT', message: what })

t.test('memory', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const roomy: Engine = { ...python, sandbox: { addressSpace: 0 } }
  const hog = (bytes: number) => `
import time
block = bytearray(b'x') * ${bytes}
time.sleep(100)
`
  await t.test('of one process', async (t) => {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, roomy, hog(400 * MiB)), exceeded(/more memory/))
  })
  await t.test('of one address space', async (t) => {
    await using box = await sandboxes.open('a', [])
    const small: Engine = { ...python, sandbox: { addressSpace: 200 * MiB } }
    const lines = await runScript(box, small, 'try: bytearray(2**30)\nexcept MemoryError: print("refused")')
    t.same(lines, ['refused'])
  })
})

t.test('epoll watches, which the kernel limits by user', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  // A watch stays while its file is open, also when another file has taken its descriptor.
  const watch = (count: number) => `
import os, select, time
poll = select.epoll()
files = [os.eventfd(0) for _ in range(100)]
for number in range(500, 500 + ${count} // len(files)):
    for file in files:
        os.dup2(file, number)
        poll.register(number, 0)
time.sleep(1 if ${count} < 10_000 else 100)
print('done')
`
  await using box = await sandboxes.open('a', [])
  t.same(await runScript(box, python, watch(5000)), ['done'])
  await t.rejects(runScript(box, python, watch(12_000)), exceeded(/more epoll watches/))
})

t.test('disk', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const attack =
    (script: string, what: RegExp, engine = sh) =>
    async () => {
      await using box = await sandboxes.open('a', [])
      await t.rejects(runScript(box, engine, script), exceeded(what), script)
    }
  await attack('exec head -c 100M /dev/zero > /out/file.txt', /too large a file/)()
  await attack('for i in 1 2 3 4; do head -c 30M /dev/zero > /scratch/$i; done; sleep 110', /more disk space/)()
  for (const place of ['/scratch', '/tmp'])
    await attack(`i=0; while :; do i=$((i+1)); : > ${place}/$i; done`, /more files/)()
  await using box = await sandboxes.open('a', [])
  const full = await runScript(
    box,
    sh,
    'for i in 1 2 3 4 5 6 7 8 9 10; do head -c 60M /dev/zero > /tmp/$i || echo full; done 2>&1',
  )
  t.match(full.at(-1), 'full', 'the memory file system has an end')
  t.same(await runScript(box, sh, 'head -c 80M /dev/zero > /dev/shm/x 2>/dev/null || stat -c %s /dev/shm/x'), [
    `${64 * MiB}`,
  ])
})

t.test('processor time', async (t) => {
  const { sandboxes } = await startSandboxes(t, (settings) => ({
    ...settings,
    timeouts: { ...settings.timeouts, light: 1, heavy: -2000 },
  }))
  await using box = await sandboxes.open('a', [])
  await t.rejects(runScript(box, sh, 'while :; do :; done'), exceeded(/processor time/))
})

t.test('a process that kills itself is not reported as a limit', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  const crash = { code: 'CONVERSION_ERROR', message: 'The file could not be read as PNG' }
  await t.rejects(runScript(box, sh, 'kill -SEGV $$'), crash)
  await t.rejects(runScript(box, sh, 'exit 7'), crash)
  await t.rejects(
    box.run(sh, '/usr/bin/no-such-program', makeJob(), [], () => {}),
    { code: 'INTERNAL_SERVER_ERROR' },
  )
})

t.test('nothing is left behind', async (t) => {
  // Processes that were killed may still be ending.
  await until(async () => (await processesWith('--args', 'sleep 110')).length === 0)
  const { sandboxes, dataDir } = await startSandboxes(t)
  await (await sandboxes.open('a', []))[Symbol.asyncDispose]()
  await sandboxes.close()
  t.same((await readdir(`${dataDir}/work`)).sort(), ['.sandbox', 'trash'])
  t.same(await readdir(`${dataDir}/work/trash`), [])
})

t.test('a result that exceeds the plan is stopped while it grows', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [], 4 * MiB)
  const grow = (path: string, seconds: number) => `
import time
with open('${path}', 'wb') as file:
    for _ in range(6): file.write(b'x' * 2**20)
    file.flush()
    time.sleep(${seconds})
`
  await t.rejects(runScript(box, python, grow('/out/file.txt', 90)), exceeded(/result would be larger than the 4\.19/))
})
