/** What a warm process may use between two jobs. */
import t from 'tap'
import { processesWith, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { boot, makeServer, runStatements } from './warm-engines.ts'

const SPIN = 'threading.Thread(target=use, args=[60]).start()'
// Long after its job, when the watchdog has seen it rest for a while.
const FILL = "threading.Timer(1.5, lambda: [open(f'/tmp/{n}', 'w').close() for n in range(300)]).start()"

t.test(
  'time of the boot and of jobs is its own; a process that works or fills memory between jobs is ended',
  async (t) => {
    const engine = makeServer(100, { boot: 'use(2.5)' })
    const { sandboxes } = await startSandboxes(t, (all) => ({ ...all, limits: { ...all.limits, files: 200 } }))
    await boot(sandboxes, engine)
    const run = async (...statements: string[]) => {
      await using box = await sandboxes.open('a', [engine])
      return (await runStatements(box, engine, statements)).join()
    }
    const mark = ["print('same' if 'marked' in globals() else 'new')", 'marked = True']
    for (const statement of [SPIN, FILL]) {
      t.equal(await run(...mark), 'new')
      for (let job = 0; job < 25; job++) t.equal(await run(...mark, 'use(0.1)'), 'same', `after ${job} jobs`)
      const mine = await processesWith('--args', 'json.loads(line)')
      t.equal(await run(...mark, statement), 'same')
      await until(async () => {
        const left = await processesWith('--args', 'json.loads(line)')
        return mine.some((pid) => !left.includes(pid))
      })
    }
    t.equal(await run(...mark), 'new')
  },
)
