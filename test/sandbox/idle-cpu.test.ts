import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Engine, Job } from '../../kernel/contract.ts'
import { openAccount } from '../../kernel/sandbox/account.ts'
import { memoryFileSystems } from '../../kernel/sandbox/bubblewrap.ts'
import { makeFolder } from '../../kernel/sandbox/folder.ts'
import { bubblewrap } from '../../kernel/sandbox/launch.ts'
import { usageBelow } from '../../kernel/sandbox/processes.ts'
import { unprivilegedUser } from '../../kernel/sandbox/user.ts'
import { startWarm } from '../../kernel/sandbox/warm-process.ts'
import { createWatchdog, type Watched } from '../../kernel/sandbox/watchdog.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB, makeJob, settings } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

/** Speaks the warm protocol: uses `boot` seconds of CPU to boot, and runs each argument as a Python statement. */
const makeEngine = (boot = 0): Engine => {
  const script = `
import json, sys, threading, time
def use(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
use(${boot})
print('ready', flush=True)
for request in sys.stdin:
    for statement in json.loads(request): exec(statement, globals())
    print('{"done":true}', flush=True)
`
  const argv = (_: Job, args: readonly string[]) => args
  return { name: 'warmed', binary: ['python3'], version: ['--version'], argv, warm: { argv: ['-c', script], jobs: 99 } }
}

/** A process whose CPU time is looked at when the test calls `look`, and so exactly between two jobs. */
async function begin(t: Test, engine: Engine) {
  const work = await folderOf(t)
  const user = unprivilegedUser()
  const sizes = memoryFileSystems(256 * MiB)
  const limits = { cpu: 60, fileSize: MiB }
  const launcher = await bubblewrap({ folder: join(work, '.sandbox'), limits, sizes, user, name: 'athanor-test' })
  let watched: Watched | undefined
  const watch = (it: Watched) => {
    watched = it
    return () => {}
  }
  const watchdog = { ...createWatchdog(settings(work).limits, work, sizes), watch }
  const folder = await makeFolder(work, user)
  const program = '/usr/bin/python3'
  const process = startWarm(engine, program, folder, { launcher, watchdog, stalled: null })
  t.teardown(() => {
    process.kill()
    return process.gone
  })
  return {
    process,
    look: () => watched!.looked!(usageBelow(process.pid!).cpu),
    async run(statement: string) {
      const account = openAccount(engine)
      const task = { engine, program, folder, job: makeJob(), args: [statement], most: undefined, report() {}, account }
      await process.run(task)
      account.close()
    },
  }
}

t.test('the CPU time of the boot is no CPU time between jobs', async (t) => {
  const { process, run, look } = await begin(t, makeEngine(2.5))
  await run('pass')
  look()
  look()
  await t.resolves(run('pass'))
  t.ok(process.alive)
})

t.test('nor is that of jobs, also if nobody looks during any of them', async (t) => {
  const { process, run, look } = await begin(t, makeEngine())
  for (let job = 1; job <= 25; job++) {
    await run('use(0.1)')
    look()
    look()
    if (!t.ok(process.alive, `after ${job} jobs`)) break
  }
})

t.test('a process that is killed for its CPU time between jobs takes no further job while it ends', async (t) => {
  const { process, run, look } = await begin(t, makeEngine())
  await run('threading.Thread(target=use, args=[60]).start()')
  const killed = () => {
    look()
    return !process.alive
  }
  t.notOk(killed(), 'its first job had its own CPU time')
  await until(killed)
  t.notOk(process.ended, 'known before it has ended')
  await process.gone
  t.ok(process.ended)
})
