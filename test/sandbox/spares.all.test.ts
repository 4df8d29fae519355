/** Spares of warm engines: when they start, how many, with which priority, and what of them fits into the memory. */
import { existsSync, readFileSync, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { JOB } from '../../kernel/sandbox/folder.ts'
import { stat } from '../harness/processes.ts'
import { MiB, processesWith, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { countsOf, makeEngine, once, ready, warm } from './warm-engines.ts'

/** Returns the processes of an engine that boots for so many seconds, without their sandboxes. */
const processesOf = async (seconds: number) =>
  (await processesWith(`time.sleep(${seconds})`)).filter((pid) => stat(pid)?.name.startsWith('python3'))

/** How much the kernel prefers others, by proc(5): of the session of a process, and of the process. Usual: 0. */
function niceOf(pid: number): { session: number; own: number } {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  const fields = read('stat')
  const session = existsSync(`/proc/${pid}/autogroup`) ? /nice (-?\d+)/.exec(read('autogroup'))![1] : 0
  return { session: Number(session), own: Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[16]) }
}

const mayRaise = process.getuid?.() === 0
const hasAutogroups = existsSync('/proc/self/autogroup')

t.test(
  'a spare gives way to others while it boots, and no longer when it is ready',
  { skip: !mayRaise && !hasAutogroups && 'needs root, or a kernel with autogroups' },
  async (t) => {
    const engine = makeEngine('polite', { seconds: 5.25 })
    const { sandboxes } = await startSandboxes(t)
    warm(sandboxes, engine)
    await until(async () => (await processesOf(5.25)).length > 0)
    const [pid] = (await processesOf(5.25)) as [number]
    const low = { session: hasAutogroups ? 3 : 0, own: mayRaise ? 3 : 0 }
    const seen: ReturnType<typeof niceOf>[] = []
    // It starts with the usual priority, until its sandbox is complete.
    await until(() => {
      const { booting } = countsOf(sandboxes, 'polite')
      const nice = niceOf(pid)
      if (booting === 1) seen.push(nice)
      return ready(sandboxes, 'polite')
    })
    t.same(seen.at(-1), low, 'while it boots')
    // Ordinary users may have to try for a moment.
    await until(() => niceOf(pid).session === 0)
    t.equal(niceOf(pid).own, 0, 'when it is ready')
  },
)

/**
 * Notes the folders that are made in a data folder for jobs and their processes: one for each process, as each serves
 * one job. Resolves to a function that resolves to their number.
 */
function countFolders(t: Test, dataDir: string): () => Promise<number> {
  const work = join(dataDir, 'work')
  const names = new Set<string>()
  const watcher = watch(work, (_event, name) => void names.add(name!))
  t.teardown(() => watcher.close())
  return async () => {
    // Changes are told in their order.
    await mkdir(join(work, 'last'))
    await until(() => names.has('last'))
    return [...names].filter((name) => name.startsWith(JOB)).length
  }
}

t.test('if owners come slowly, no more spares are started than used, and one', async (t) => {
  const engine = makeEngine('slowly', { seconds: 0.51 })
  const { sandboxes, dataDir } = await startSandboxes(t)
  const started = countFolders(t, dataDir)
  warm(sandboxes, engine)
  for (const owner of ['a', 'b', 'c']) {
    await until(() => ready(sandboxes, 'slowly'))
    await once(sandboxes, owner, engine)
  }
  await until(() => ready(sandboxes, 'slowly'))
  t.equal(await started(), 3 + 1)
})

t.test(
  'while owners come faster than processes boot, there are more spares, but no more than can run; later all but one are ended',
  async (t) => {
    const engine = makeEngine('burst', { seconds: 1.02 })
    // So many that four in the second that a process boots are believed to stay.
    const workers = 4
    const jobs = 60
    const { sandboxes, dataDir } = await startSandboxes(t, (settings) => ({
      ...settings,
      warm: { ...settings.warm, idle: 1000 },
    }))
    const started = countFolders(t, dataDir)
    let most = 0
    const spares = () => {
      const { booting, ready } = countsOf(sandboxes, 'burst')
      most = Math.max(most, booting + ready)
      return { booting, ready }
    }
    warm(sandboxes, engine)
    await until(() => ready(sandboxes, 'burst'))
    for (let first = 0; first < jobs; first += workers) {
      await Promise.all(Array.from({ length: workers }, (_, n) => once(sandboxes, `${first + n}`, engine)))
      spares()
    }
    await until(() => spares().ready > 1)
    await until(() => spares().ready + spares().booting === 1)
    t.ok(most <= workers, `${most} spares at the same time`)
    const unused = (await started()) - jobs
    t.ok(unused > 1 && unused <= workers, `${unused} were started and not used`)
    await until(async () => (await processesOf(1.02)).length === 1)
  },
)

t.test('a spare that still boots is used: another one would be ready later', async (t) => {
  const engine = makeEngine('slow', { seconds: 4.5 })
  const { sandboxes } = await startSandboxes(t)
  warm(sandboxes, engine)
  // Asleep, which it is for most of its boot.
  const boots = (pid: number) => /^python3/.test(stat(pid)?.name ?? '') && stat(pid)?.state === 'S'
  await until(async () => (await processesWith('time.sleep(4.5)')).some(boots))
  t.equal(countsOf(sandboxes, 'slow').booting, 1)
  const asked = Date.now()
  const { began, nice } = await once(sandboxes, 'a', engine)
  t.ok(began < asked, 'it is not one that was started for the job')
  t.equal(nice, 0, 'it works with the usual priority')
  await until(() => ready(sandboxes, 'slow'))
})

t.test('several first spares of an engine leave a core free while they boot', async (t) => {
  const engine = makeEngine('many', { seconds: 0.3 })
  const { sandboxes } = await startSandboxes(t, (settings) => ({ ...settings, warm: { ...settings.warm, spares: 3 } }))
  warm(sandboxes, engine)
  let most = 0
  await until(() => {
    most = Math.max(most, countsOf(sandboxes, 'many').booting)
    return countsOf(sandboxes, 'many').ready === 3
  })
  t.equal(most, Math.min(3, Math.max(1, availableParallelism() - 1)))
})

t.test('what a process takes at its job counts, too', async (t) => {
  const modest = makeEngine('modest', { jobs: 9 })
  const greedy = makeEngine('greedy', { grown: 150, jobs: 9 })
  const { sandboxes } = await startSandboxes(t, (s) => ({ ...s, warm: { ...s.warm, memory: 120 * MiB } }))
  warm(sandboxes, modest, greedy)
  // A spare was measured, so that of other processes only the resident memory is looked at.
  for (const name of ['modest', 'greedy']) await until(() => ready(sandboxes, name))
  for (const engine of [modest, greedy]) t.equal((await once(sandboxes, 'a', engine)).served, 1)
  await until(() => countsOf(sandboxes, 'greedy').kept === 0)
  t.equal((await once(sandboxes, 'a', greedy)).served, 1, 'it was not kept')
  t.equal((await once(sandboxes, 'a', modest)).served, 2, 'the small one was')
})
