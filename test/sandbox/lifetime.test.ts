import { spawn } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import t from 'tap'
import { endOrphans, sandboxName } from '../../kernel/sandbox/process/orphans.ts'
import { createSandboxes } from '../../kernel/sandbox/sandboxes.ts'
import { folderOf } from '../harness/folder.ts'
import { stat } from '../harness/processes.ts'
import { processesWith, runScript, settings, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const word = (name: string) => `${name}-${process.pid}-${Date.now()}`

t.test('a grandchild in its own session is gone after the end', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const mark = word('daemon')
  await using box = await sandboxes.open('a', [])
  const script = `setsid sh -c 'trap "" TERM HUP; exec >/dev/null 2>&1 </dev/null; sleep 600; : ${mark}' & sleep 0.1; echo started`
  t.same(await runScript(box, sh, script), ['started'])
  await until(async () => (await processesWith(mark)).length === 0)
})

t.test('an abort ends a tree that ignores signals, and rejects with the reason', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const mark = word('stubborn')
  await using box = await sandboxes.open('a', [])
  const job = new AbortController()
  const nested = `trap '' TERM INT HUP; sh -c "trap '' TERM; sleep 600; : ${mark}" & sleep 600; : ${mark}`
  const running = runScript(box, sh, nested, { signal: job.signal })
  await until(async () => (await processesWith(mark)).length >= 3)
  const reason = new Error('cancelled')
  job.abort(reason)
  await t.rejects(running, reason)
  await until(async () => (await processesWith(mark)).length === 0)
})

t.test('an abort during the start of the sandbox leaves nothing behind', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const mark = word('early')
  await using box = await sandboxes.open('a', [])
  const reason = new Error('cancelled')
  for (let attempt = 0; attempt < 10; attempt++) {
    const job = new AbortController()
    const running = runScript(box, sh, `sleep 600; : ${mark}`, { signal: job.signal })
    const moment = performance.now() + attempt
    while (performance.now() < moment); // timers are too coarse
    job.abort(reason)
    await t.rejects(running, reason)
  }
  await until(async () => (await processesWith(mark)).length === 0)
})

t.test('sandboxes that a killed service left are identified by name', async (t) => {
  const work = await folderOf(t)
  const name = await sandboxName(work)
  t.not(name, await sandboxName(await folderOf(t)))
  const sleeping = (argv0: string) => {
    const child = spawn('/bin/sleep', ['600'], { argv0, stdio: 'ignore' })
    return { child, ended: new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal))) }
  }
  const orphan = sleeping(name)
  const other = sleeping(`${name}x`)
  await until(async () => (await processesWith(name)).length === 2)
  t.equal(endOrphans(name, process.getuid!() + 1), 0, 'of another user')
  t.equal(endOrphans(name, process.getuid!()), 1)
  t.equal(await orphan.ended, 'SIGKILL')
  t.equal(other.child.exitCode, null)
  other.child.kill()
})

t.test('an aborted job starts nothing', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  const reason = new Error('too late')
  await t.rejects(runScript(box, sh, 'echo > /out/file.txt', { signal: AbortSignal.abort(reason) }), reason)
  t.equal(await box.result('file.txt'), undefined)
})

t.test('engines end when the service is killed, and the next start removes its folders', async (t) => {
  const dataDir = await folderOf(t)
  const mark = word('orphan')
  const harness = `${import.meta.dirname}/../harness/sandboxes.ts`
  const program = `
    import { createSandboxes } from '${import.meta.dirname}/../../kernel/sandbox/sandboxes.ts'
    import { runScript, settings, sh } from '${harness}'
    const sandboxes = await createSandboxes(settings(${JSON.stringify(dataDir)}), console)
    for (const owner of ['a', 'b']) {
      const box = await sandboxes.open(owner, [])
      void runScript(box, sh, "trap '' TERM; mkdir -p /out/x/y; sleep 600; : ${mark}-" + owner)
    }`
  await writeFile(`${dataDir}/service.mts`, program)
  const service = spawn(process.execPath, [`${dataDir}/service.mts`], { stdio: 'inherit' })
  const ended = new Promise((resolve) => service.on('exit', resolve))
  // When the shell runs, its sandbox is complete, and the kernel ends it with the service. Before it runs a command, a
  // shell is two processes for a moment.
  const runs = async (owner: string) =>
    (await processesWith(`${mark}-${owner}`, '-c')).some((pid) => stat(pid)?.name === 'sh')
  await until(async () => (await runs('a')) && (await runs('b')))
  service.kill('SIGKILL')
  await ended
  await until(async () => (await processesWith(mark, '-c')).length === 0)

  const left = async () => (await readdir(`${dataDir}/work`)).filter((name) => !['.sandbox', 'trash'].includes(name))
  t.equal((await left()).length, 2)
  const next = await createSandboxes(settings(dataDir), console as never)
  t.same(await left(), [])
  await next.close()
  t.same(await readdir(`${dataDir}/work/trash`), [])
})
