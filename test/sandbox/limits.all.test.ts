/** Limits that take seconds to reach, and attacks on the counting itself. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import t from 'tap'
import { MiB, processesWith, python, pythonWithSockets, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const exceeded = (what: RegExp) => ({ name: 'ConversionFailure', code: 'RESOURCE_LIMIT', message: what })
/** Writes to a file system in memory do not count as disk writes. */
const onDisk = { skip: (await statfs(tmpdir())).type === 0x01021994 && 'temporary files are in memory here' }

t.test('a fork bomb reaches its own limit, and does not affect other sandboxes', async (t) => {
  // Not that of memory.
  const { sandboxes } = await startSandboxes(t, (all) => ({ ...all, limits: { ...all.limits, memory: 1024 * MiB } }))
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
time.sleep(${count > 100 ? 10 : 0})
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
    // Only engines that may use Unix sockets can send files.
    await t.rejects(runScript(box, pythonWithSockets, script), exceeded(/more disk space/), name)
  }
})
