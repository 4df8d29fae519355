/** The parts of the watchdog that limits.test.ts does not reach in a moment: what it counts, and what it skips. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { mkdir, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { largest, measure, unlinkedBytes } from '../../kernel/sandbox/limits/disk-use.ts'
import { hiddenMemory } from '../../kernel/sandbox/limits/hidden-memory.ts'
import { idleBudget } from '../../kernel/sandbox/limits/memory-left.ts'
import { treeBelow } from '../../kernel/sandbox/limits/processes.ts'
import { createStall } from '../../kernel/sandbox/limits/stall.ts'
import { createWatchdog } from '../../kernel/sandbox/limits/watchdog.ts'
import { openAccount } from '../../kernel/sandbox/process/account.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { setClock } from './clock.ts'

t.test('the use of folders: blocks, not lengths; no links; an end', async (t) => {
  const folder = await folderOf(t)
  await mkdir(join(folder, 'inner'))
  await writeFile(join(folder, 'inner/block'), Buffer.alloc(100_000, 1))
  await writeFile(join(folder, 'sparse'), '')
  await truncate(join(folder, 'sparse'), 50 * MiB)
  await symlink('/usr', join(folder, 'link'))
  const max = { bytes: MiB, files: 100 }
  const { bytes, files } = await measure([folder], max)
  t.equal(files, 4)
  t.ok(bytes >= 100_000 && bytes < 200_000, `${bytes} bytes`)
  t.equal((await measure([folder], { ...max, files: 2 })).files, 3, 'it stops at the limit')
  t.equal((await measure([folder, join(folder, 'inner')], max)).files, 5, 'of several folders')
  t.equal(await largest(folder), 50 * MiB, 'a result is sent with its holes')
  await mkdir(join(folder, 'd/'.repeat(130)), { recursive: true })
  await t.rejects(measure([folder], { bytes: MiB, files: 1000 }), { message: 'folders nested too deeply' })
})

t.test('files that are open without a name', async (t) => {
  const folder = await folderOf(t)
  const { dev } = await stat(folder)
  const before = await unlinkedBytes([process.pid], dev)
  const path = join(folder, 'gone')
  const file = openSync(path, 'w')
  writeSync(file, Buffer.alloc(200_000, 1))
  t.equal(await unlinkedBytes([process.pid], dev), before, 'it has a name')
  unlinkSync(path)
  const found = (await unlinkedBytes([process.pid, process.pid], dev)) - before
  t.ok(found >= 200_000 && found < 300_000, `${found} bytes, once`)
  t.equal(await unlinkedBytes([process.pid], dev + 1), 0, 'on another disk')
  closeSync(file)
})

t.test('memory outside of processes', async (t) => {
  const { bytes, files } = hiddenMemory(treeBelow(process.pid), undefined)
  t.equal(files, 0)
  t.ok(bytes > 300_000 && bytes < 100 * MiB, `${bytes} bytes of page tables and threads`)
  t.same(hiddenMemory(new Map(), undefined), { bytes: 0, files: 0 })
  t.equal(idleBudget(100, 1000), 100)
  t.equal(idleBudget(300, 1000), 250, 'a quarter of the machine')
})

t.test('a run that does nothing is stopped once, after the limit', async (t) => {
  const clock = setClock(t)
  const failures: object[] = []
  const stall = createStall(3000, (failure) => failures.push(failure))
  const look = (cpu: number, milliseconds = 1000) => {
    clock.now += milliseconds
    stall.onPoll(cpu)
    return failures.length
  }
  t.same([look(1), look(1), look(1), look(2)], [0, 0, 0, 0], 'it worked')
  t.same([look(2), look(2), look(1)], [0, 0, 0], 'a process has ended')
  t.same([look(1), look(1)], [0, 0])
  stall.onProgress()
  t.same([look(1), look(1, 60_000), look(1, 900)], [0, 0, 0], 'a machine that slept counts as a second')
  t.same([look(1), look(1), look(1), look(1), look(1)], [1, 1, 1, 1, 1])
  const message = 'The conversion was stopped because its program did nothing for 3 seconds'
  t.match(failures, [{ code: 'TIMEOUT', message }])
  const endless = createStall(null, () => t.fail('no limit'))
  for (let second = 0; second < 9; second++, clock.now += 1000) endless.onPoll(1)
})

t.test('a stalled program is stopped', async (t) => {
  const { sandboxes } = await startSandboxes(t, (all) => ({ ...all, timeouts: { ...all.timeouts, stalled: 1000 } }))
  await using box = await sandboxes.open('a', [])
  await t.rejects(runScript(box, sh, 'sleep 600'), { code: 'TIMEOUT', message: /did nothing for 1 second/ })
})

t.test('full folders, and a full disk, explain a failure', async (t) => {
  const folder = await folderOf(t)
  await writeFile(join(folder, 'file'), Buffer.alloc(MiB, 1))
  const reason = async (disk: number, freeDisk: number) => {
    const watchdog = createWatchdog({ memory: MiB, disk, files: 10, freeDisk }, folder)
    const failure = await watchdog.filled([folder])
    watchdog.close()
    return failure?.message
  }
  t.equal(await reason(MiB, 0), 'The conversion was stopped because it used all the disk space that is allowed')
  t.equal(await reason(9 * MiB, 0), undefined)
  t.match(await reason(9 * MiB, Number.MAX_SAFE_INTEGER), /^The storage is full/)
})

t.test('the account of a run: its arguments, time, processor and last lines', async (t) => {
  const empty = openAccount(sh).close()
  t.match(empty, { engine: 'sh', args: [], exit: null, cpu: 0, memory: 0, said: [] })
  const account = openAccount(sh)
  const lines = Array.from({ length: 30 }, (_, n) => `${n}`)
  account.follow({ pid: process.pid, ended: Promise.resolve({ code: 3 }) as never }, ['a', 'b'], lines)
  account.note('the end')
  await Promise.resolve()
  const closed = account.close()
  t.match(closed, { args: ['a', 'b'], exit: 3, said: [...lines.slice(-19), 'the end'] })
  t.ok(closed.memory > MiB && closed.ms >= 0)
})

/** Children of the first thread and of another one; the first has a name that looks like the end of its own. */
const SCRIPT = `
import subprocess, sys, threading, time
odd = "open('/proc/self/comm', 'w').write('a) R (b'); print('named', flush=True); import time; time.sleep(600)"
subprocess.Popen([sys.executable, '-c', odd])
def other():
  subprocess.Popen(['sh', '-c', 'sleep 600 & wait'])
  time.sleep(600)
threading.Thread(target=other).start()
`

t.test('a process tree has the children of all threads, and the names of all programs', async (t) => {
  const child = spawn('python3', ['-c', SCRIPT], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => process.kill(-child.pid!))
  await once(child.stdout, 'data')
  await until(() => [...treeBelow(child.pid!).values()].some(({ name }) => name === 'sleep'))
  const tree = treeBelow(child.pid!)
  t.same([...tree.values()].map(({ name }) => name).sort(), ['a) R (b', 'python3', 'sh', 'sleep'])
  const { parent, threads, memory } = tree.get(child.pid!)!
  t.match({ parent, threads }, { parent: process.pid, threads: 2 })
  t.ok(memory > 1e6)
})
