/** Spares of warm engines: when they start, how many, and what of them fits into the memory. */
import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { JOB } from '../../kernel/sandbox/folder.ts'
import { stat } from '../harness/processes.ts'
import { MiB, processesWith, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { countsOf, makeEngine, once, ready, warm } from './warm-engines.ts'

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

t.test('a spare that still boots is used: another one would be ready later', async (t) => {
  const engine = makeEngine('slow', { seconds: 4.5 })
  const { sandboxes } = await startSandboxes(t)
  warm(sandboxes, engine)
  // Asleep, which it is for most of its boot.
  const boots = (pid: number) => /^python3/.test(stat(pid)?.name ?? '') && stat(pid)?.state === 'S'
  await until(async () => (await processesWith('time.sleep(4.5)')).some(boots))
  t.equal(countsOf(sandboxes, 'slow').booting, 1)
  const asked = Date.now()
  const { began } = await once(sandboxes, 'a', engine)
  t.ok(began < asked, 'it is not one that was started for the job')
  await until(() => ready(sandboxes, 'slow'))
})

t.test('several first spares of an engine leave a core free while they boot', async (t) => {
  const engine = makeEngine('many', { seconds: 0.3 })
  const { sandboxes } = await startSandboxes(t, (settings) => ({ ...settings, warm: { ...settings.warm, spares: 3 } }))
  warm(sandboxes, engine)
  let max = 0
  await until(() => {
    max = Math.max(max, countsOf(sandboxes, 'many').booting)
    return countsOf(sandboxes, 'many').ready === 3
  })
  t.equal(max, Math.min(3, Math.max(1, availableParallelism() - 1)))
})

t.test('what a process takes at its job counts, too', async (t) => {
  const modest = makeEngine('modest', { jobs: 9 })
  const greedy = makeEngine('greedy', { grown: 150, jobs: 9 })
  const { sandboxes } = await startSandboxes(t, (s) => ({ ...s, warm: { ...s.warm, memory: 120 * MiB } }))
  warm(sandboxes, modest, greedy)
  for (const name of ['modest', 'greedy']) await until(() => ready(sandboxes, name))
  for (const engine of [modest, greedy]) t.equal((await once(sandboxes, 'a', engine)).served, 1)
  await until(() => countsOf(sandboxes, 'greedy').kept === 0)
  t.equal((await once(sandboxes, 'a', greedy)).served, 1, 'it was not kept')
  t.equal((await once(sandboxes, 'a', modest)).served, 2, 'the small one was')
})
