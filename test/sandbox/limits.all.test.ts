/** Limits that take seconds to reach, and attacks on the counting itself. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { watchEventLoop } from '../fixtures/event-loop.ts'
import { MiB, processesWith, python, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const exceeded = (what: RegExp) => ({ name: 'ConversionFailure', code: 'RESOURCE_LIMIT', message: what })
/** Writes to a file system in memory do not count as disk writes. */
const onDisk = { skip: (await statfs(tmpdir())).type === 0x01021994 && 'temporary files are in memory here' }

t.test('a fork bomb reaches its own limit, and does not affect other sandboxes', async (t) => {
  const { sandboxes } = await startSandboxes(t)
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
time.sleep(${count > 100 ? 20 : 0})
os._exit(0)
`
  const bombing = runScript(bomb, python, script(2000))
  await until(async () => (await processesWith('range(2000)')).length > 40)
  t.same(await runScript(other, python, script(40)), ['40'])
  const made = Number((await bombing)[0])
  t.ok(made > 40 && made < 64, `${made} processes`)
})

t.test('memory of thirty processes together', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  const hog = `
import os, time
for _ in range(30):
    if os.fork() == 0: break
block = bytearray(b'x') * (20 * 2**20)
time.sleep(100)`
  await t.rejects(runScript(box, python, hog), exceeded(/more memory/))
})

t.test('trees that are deep, have names that are no text, or are replaced by links', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const attack =
    (script: string, what: RegExp, engine = sh) =>
    async () => {
      await using box = await sandboxes.open('a', [])
      await t.rejects(runScript(box, engine, script), exceeded(what), script)
    }
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
})

t.test('a full disk ends the job that has written most', onDisk, async (t) => {
  const { sandboxes } = await startSandboxes(t, (settings) => ({
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

t.test('a flood of messages is limited, and its end is kept', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  const before = process.memoryUsage().rss
  let max = 0
  const timer = setInterval(() => (max = Math.max(max, process.memoryUsage().rss)), 20)
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
  t.ok(max - before < 100 * MiB, `${Math.round((max - before) / MiB)} MiB more`)
  // Parsed at once, it would block for seconds.
  t.ok(blocked < 2000, `the event loop was busy for ${Math.round(blocked)} ms`)
})

t.test('files without a name count as well', onDisk, async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const nameless = (count: number, keep: string) => `
import array, os, socket, time
kept = []
pair = socket.socketpair()
for i in range(${count}):
    f = os.open('/scratch/x', os.O_RDWR | os.O_CREAT); os.unlink('/scratch/x')
    os.write(f, b'x' * 40 * 2**20); os.fsync(f)
    ${keep}
time.sleep(100)`
  const attacks = {
    'open files': nameless(2, 'kept.append(f)'),
    'in the queue of a socket': nameless(
      8,
      "pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [f]))]); os.close(f)",
    ),
  }
  for (const [name, script] of Object.entries(attacks)) {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, python, script), { code: 'RESOURCE_LIMIT', message: /more disk space/ }, name)
  }
})

t.test('holes of a result count, and what it needs on the way may be larger than it', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [], 4 * MiB)
  const part = "import time\nopen('/scratch/part', 'wb').write(b'x' * 6 * 2**20)\ntime.sleep(3)"
  await t.resolves(runScript(box, python, part))
  const hole = "import time\nopen('/out/file.txt', 'wb').truncate(2**23)\ntime.sleep(90)"
  await t.rejects(runScript(box, python, hole), exceeded(/result would be larger/))
})

t.test('programs are stopped in every way of stalling, and not while they work', async (t) => {
  const start = (stalled: number) => startSandboxes(t, (all) => ({ ...all, timeouts: { ...all.timeouts, stalled } }))
  const stalled = (seconds: number) => ({ code: 'TIMEOUT', message: new RegExp(`did nothing for ${seconds} seconds`) })
  const { sandboxes } = await start(2000)
  for (const script of [
    'kill -STOP $$',
    'sleep 627 & wait',
    'exec /usr/bin/python3 -c "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()"',
    // It worked before it stalled.
    'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 627',
  ]) {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, sh, script), stalled(2), script)
  }
  // On a busy machine, a program may have to wait for the processor for a while.
  const { sandboxes: patient } = await start(5000)
  const engine: Engine = { ...sh, progress: () => (line) => Number(line) / 10 }
  const run = async (engine: Engine, script: string) => {
    await using box = await patient.open('a', [])
    return (await runScript(box, engine, script)).at(-1)
  }
  // Each process works for a moment and ends. Its CPU time is counted in its parent.
  const successive = `
import subprocess, time
for _ in range(14):
    subprocess.run(['/usr/bin/python3', '-c', 'sum(range(10**6))'])
    time.sleep(0.6)
print('done')`
  const reporting = 'for i in 1 2 3 4 5 6 7 8 9; do sleep 1; echo $i; done; echo done'
  t.same(await Promise.all([run(python, successive), run(engine, reporting)]), ['done', 'done'])
  // Repeated reports of the same progress are not progress.
  await t.rejects(run(engine, 'while :; do sleep 1; echo 3; done'), stalled(5))
})
