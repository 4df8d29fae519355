/** What a warm process may use between two jobs. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { makeFolder } from '../../kernel/sandbox/folder.ts'
import { usageBelow } from '../../kernel/sandbox/limits/processes.ts'
import { createWatchdog, type Watched } from '../../kernel/sandbox/limits/watchdog.ts'
import { startWarm } from '../../kernel/sandbox/pool/warm-process.ts'
import { openAccount } from '../../kernel/sandbox/process/account.ts'
import { bubblewrap } from '../../kernel/sandbox/process/launch.ts'
import { memoryFileSystems } from '../../kernel/sandbox/walls/bubblewrap.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB, makeJob, processesWith, settings, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { boot, makeServer, program, runStatements } from './warm-engines.ts'

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
  const process = startWarm(engine, program, folder, { launcher, watchdog, stalled: null })
  t.teardown(() => {
    process.kill()
    return process.gone
  })
  return {
    process,
    look: () => watched!.onPoll!(usageBelow(process.pid!).cpu),
    async run(statement: string) {
      const account = openAccount(engine)
      const task = {
        engine,
        program,
        folder,
        job: makeJob(),
        args: [statement],
        maxFileSize: undefined,
        report() {},
        account,
      }
      await process.run(task)
      account.close()
    },
  }
}

t.test(
  'the CPU time of the boot and of jobs is no CPU time between jobs, also if nobody looks during any',
  async (t) => {
    const { process, run, look } = await begin(t, makeServer(99, { boot: 'use(2.5)' }))
    for (let job = 1; job <= 25; job++) {
      await run('use(0.1)')
      look()
      look()
      if (!t.ok(process.alive, `after ${job} jobs`)) break
    }
  },
)

t.test('a process that is killed for its CPU time between jobs takes no further job while it ends', async (t) => {
  const { process, run, look } = await begin(t, makeServer(99))
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

const spin = ['threading.Thread(target=use, args=[60]).start()']
// Long after its job, when the watchdog has seen it rest for a while.
const fill = "threading.Timer(1.5, lambda: [open(f'/tmp/{n}', 'w').close() for n in range(300)]).start()"

for (const [what, statements] of Object.entries({ 'burns time': spin, 'fills its memory file system': [fill] }))
  t.test(`a process that ${what} between jobs is ended`, async (t) => {
    const engine = makeServer(100)
    const { sandboxes } = await startSandboxes(t, (all) => ({ ...all, limits: { ...all.limits, files: 200 } }))
    await boot(sandboxes, engine)
    const mine = await processesWith('--args', 'json.loads(line)')
    t.not(mine.length, 0)
    const run = async (statements: string[]) => {
      await using box = await sandboxes.open('a', [engine])
      return await runStatements(box, engine, statements)
    }
    await run(['mine = 1', ...statements])
    await until(async () => (await processesWith('--args')).every((pid) => !mine.includes(pid)))
    t.same(await run(["print('mine' in globals())"]), ['False'])
  })
