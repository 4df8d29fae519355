import { readdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { watchEventLoop } from '../fixtures/event-loop.ts'
import { MiB, makeJob, processesWith, python, runScript, sh, stage } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const exceeded = (what: RegExp) => ({ name: 'ConversionFailure', code: 'RESOURCE_LIMIT', message: what })

t.test('a fork bomb reaches its own limit, and does not affect other sandboxes', async (t) => {
  const { sandboxes } = await stage(t)
  await using bomb = await sandboxes.open('a', [])
  await using other = await sandboxes.open('b', [])
  const script = (count: number) => `
import os, sys, time
made = 0
for _ in range(${count}):
    try:
        if os.fork() == 0: time.sleep(100); os._exit(0)
        made += 1
    except OSError: break
print(made, flush=True)
time.sleep(${count > 100 ? 1 : 0})
os._exit(0)
`
  const bombing = runScript(bomb, python, script(2000))
  await delay(300)
  t.same(await runScript(other, python, script(40)), ['40'])
  const made = Number((await bombing)[0])
  t.ok(made > 40 && made < 64, `${made} processes`)
})

t.test('memory', async (t) => {
  const { sandboxes } = await stage(t)
  const roomy: Engine = { ...python, sandbox: { addressSpace: 0 } }
  const hog = (bytes: number, children: number) => `
import os, time
for _ in range(${children}):
    if os.fork() == 0: break
block = bytearray(b'x') * ${bytes}
time.sleep(100)
`
  await t.test('of one process', async (t) => {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, roomy, hog(400 * MiB, 0)), exceeded(/more memory/))
  })
  await t.test('of thirty processes together', async (t) => {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, python, hog(20 * MiB, 30)), exceeded(/more memory/))
  })
  await t.test('of one address space', async (t) => {
    await using box = await sandboxes.open('a', [])
    const small: Engine = { ...python, sandbox: { addressSpace: 200 * MiB } }
    const lines = await runScript(box, small, 'try: bytearray(2**30)\nexcept MemoryError: print("refused")')
    t.same(lines, ['refused'])
  })
})

t.test('disk', async (t) => {
  const { sandboxes } = await stage(t)
  const attack =
    (script: string, what: RegExp, engine = sh) =>
    async () => {
      await using box = await sandboxes.open('a', [])
      await t.rejects(runScript(box, engine, script), exceeded(what), script)
    }
  await attack('exec head -c 100M /dev/zero > /out/file.txt', /too large a file/)()
  await attack('for i in 1 2 3 4; do head -c 30M /dev/zero > /scratch/$i; done; sleep 110', /more disk space/)()
  await attack('i=0; while :; do i=$((i+1)); : > /scratch/$i; done', /more files/)()
  await attack('i=0; while [ $i -lt 200 ]; do mkdir d && cd d; i=$((i+1)); done; sleep 110', /nested too deeply/)()

  // Names that are not valid text, and a folder that is replaced by a link to a large one.
  const named =
    "import os, time\nos.mkdir(b'/scratch/\\xfe')\nfor i in range(4): open(b'/scratch/\\xfe/\\xff%d' % i, 'wb').write(bytes(30 * 2**20))\n"
  await attack(`${named}time.sleep(110)`, /more disk space/, python)()
  const swap = `
import os, time
os.mkdir('/scratch/a'); os.symlink('/usr', '/scratch/link')
until = time.time() + 3
while time.time() < until:
    os.rename('/scratch/a', '/scratch/b'); os.rename('/scratch/link', '/scratch/a')
    os.rename('/scratch/a', '/scratch/link'); os.rename('/scratch/b', '/scratch/a')
print('done')`
  await using swapping = await sandboxes.open('a', [])
  t.same(await runScript(swapping, python, swap), ['done'], 'links are not followed')

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

t.test('a full disk ends the job that has written most', async (t) => {
  // Writes to a file system in memory do not count as disk writes.
  if ((await statfs(tmpdir())).type === 0x01021994) {
    t.pass('temporary files are in memory here')
    return
  }
  const { sandboxes } = await stage(t, (settings) => ({
    ...settings,
    limits: { ...settings.limits, disk: 400 * MiB, freeDisk: Number.MAX_SAFE_INTEGER },
  }))
  await using modest = await sandboxes.open('a', [])
  await using greedy = await sandboxes.open('b', [])
  // Adding up the folders does not find a file without a name.
  const script = `
import os, time
f = os.open('/scratch/x', os.O_RDWR | os.O_CREAT); os.unlink('/scratch/x')
for _ in range(100): os.write(f, b'x' * 2**20)
time.sleep(100)`
  const [small, large] = await Promise.allSettled([
    runScript(modest, sh, 'sleep 2; echo done'),
    runScript(greedy, python, script),
  ])
  t.match(large, { status: 'rejected', reason: exceeded(/remaining disk space/) })
  t.same(small, { status: 'fulfilled', value: ['done'] })
})

t.test('processor time', async (t) => {
  const { sandboxes } = await stage(t, (settings) => ({
    ...settings,
    timeouts: { ...settings.timeouts, light: 1, heavy: -2000 },
  }))
  await using box = await sandboxes.open('a', [])
  await t.rejects(runScript(box, sh, 'while :; do :; done'), exceeded(/processor time/))
})

t.test('a flood of messages is limited, and its end is kept', async (t) => {
  const { sandboxes } = await stage(t)
  await using box = await sandboxes.open('a', [])
  const before = process.memoryUsage().rss
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
  const longest = watchEventLoop()
  const lines = await runScript(
    box,
    sh,
    "yes '' | head -c 250M >&2; yes | head -c 250M; head -c 9M /dev/zero | tr '\\0' x; echo; echo the end",
  )
  clearInterval(timer)
  const blocked = longest()
  t.ok(lines.length <= 200 && lines.join('').length <= 64 * 1024, `${lines.length} lines`)
  t.equal(lines.at(-1), 'the end')
  t.ok(most - before < 100 * MiB, `${Math.round((most - before) / MiB)} MiB more`)
  // Parsed at once, it would block for seconds.
  t.ok(blocked < 2000, `the event loop was busy for ${Math.round(blocked)} ms`)
})

t.test('a process that kills itself is not reported as a limit', async (t) => {
  const { sandboxes } = await stage(t)
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
  const { sandboxes, dataDir } = await stage(t)
  await (await sandboxes.open('a', []))[Symbol.asyncDispose]()
  await sandboxes.close()
  t.same((await readdir(`${dataDir}/work`)).sort(), ['.sandbox', 'trash'])
  t.same(await readdir(`${dataDir}/work/trash`), [])
})

t.test('a result that exceeds the plan is stopped while it grows', async (t) => {
  const { sandboxes } = await stage(t)
  await using box = await sandboxes.open('a', [], 4 * MiB)
  const grow = (path: string, seconds: number) => `
import time
with open('${path}', 'wb') as file:
    for _ in range(6): file.write(b'x' * 2**20)
    file.flush()
    time.sleep(${seconds})
`
  const began = performance.now()
  await t.rejects(runScript(box, python, grow('/out/file.txt', 90)), exceeded(/result would be larger than the 4\.19/))
  t.ok(performance.now() - began < 90_000, 'before it ended by itself')
  await box.clear()
  await t.resolves(runScript(box, python, grow('/scratch/part', 3)), 'what it needs on the way may be larger')
  await t.rejects(
    runScript(box, python, "import time\nopen('/out/file.txt', 'wb').truncate(2**40 // 2**20 * 8)\ntime.sleep(90)"),
    exceeded(/result would be larger/),
    'holes count: they are sent',
  )
})
