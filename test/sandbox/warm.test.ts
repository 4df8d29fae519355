/** Warm processes: one owner each, several jobs, clean folders, and an end when they misbehave. */
import t, { type Test } from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import type { Sandboxes } from '../../kernel/sandbox/sandboxes.ts'
import { makeSource, processesWith, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'
import { boot, makeServer, runStatements, warm } from './warm-engines.ts'

/** Marks the process in the first job, and tells later jobs whether it is the same. */
const mark = ["print('same' if 'marked' in globals() else 'new')", 'marked = True']

async function once(sandboxes: Sandboxes, owner: string, engine: Engine, statements = mark) {
  await using box = await sandboxes.open(owner, [engine])
  return (await runStatements(box, engine, statements)).join()
}

/** Sandboxes with a spare of one engine. */
async function withSpare(t: Test, jobs = 100, change?: Parameters<typeof startSandboxes>[1]) {
  const engine = makeServer(jobs)
  const { sandboxes, dataDir } = await startSandboxes(t, change)
  await boot(sandboxes, engine)
  return { engine, sandboxes, dataDir }
}

t.test('a process serves one owner only, and a limited number of jobs', async (t) => {
  const { engine, sandboxes } = await withSpare(t, 3)
  for (const [owner, expected] of [
    ...['new', 'same', 'same', 'new', 'same'].map((expected) => ['a', expected] as const),
    ...([['b', 'new'] as const, ['b', 'same'] as const, ['a', 'same'] as const] as const),
  ])
    t.equal(await once(sandboxes, owner, engine), expected)
})

t.test('the process works on the files of the job', async (t) => {
  const { engine, sandboxes, dataDir } = await withSpare(t)
  for (const content of ['first', 'second']) {
    await using box = await sandboxes.open('a', [engine])
    await box.place(await makeSource(dataDir, content, content), 'file.png')
    await runStatements(box, engine, ["open('/out/file.txt', 'w').write(open('/in/file.png').read() * 2)"])
    t.equal((await box.result('file.txt'))?.size, content.length * 2)
    t.same(await runScript(box, sh, 'cat /in/*; ls /out /scratch | tr "\\n" " "'), [`${content}/out:  /scratch: `])
  }
  const look = ["print(os.listdir('/in') + os.listdir('/out') + os.listdir('/scratch'))"]
  t.equal(await once(sandboxes, 'a', engine, look), '[]')
})

t.test('a process that cannot be cleaned up cheaply is ended', async (t) => {
  const { engine, sandboxes } = await withSpare(t)
  t.equal(await once(sandboxes, 'a', engine, [...mark, "open('/scratch/x', 'w')"]), 'new')
  t.equal(await once(sandboxes, 'a', engine, [...mark, "os.makedirs('/scratch/a/b')"]), 'same')
  t.equal(await once(sandboxes, 'a', engine), 'new')
})

t.test('if the process answers with an error, the job fails and the process continues', async (t) => {
  const { engine, sandboxes } = await withSpare(t)
  await once(sandboxes, 'a', engine)
  const failing = once(sandboxes, 'a', engine, ["raise ValueError('/in/file.png needs a\\npassword')"])
  await t.rejects(failing, { code: 'ENCRYPTED_INPUT', message: 'the file needs a password' })
  t.equal(await once(sandboxes, 'a', engine), 'same')
})

t.test('a crash costs one job', async (t) => {
  const { engine, sandboxes } = await withSpare(t)
  for (const [code, ...statements] of [
    ['CONVERSION_ERROR', 'os.abort()'],
    ['CONVERSION_ERROR', 'os._exit(0)'],
    ['RESOURCE_LIMIT', "block = b'x' * 2**29", 'time.sleep(100)'],
  ] as [string, ...string[]][])
    await t.rejects(once(sandboxes, 'a', engine, statements), { code })
  t.equal(await once(sandboxes, 'a', engine), 'new')
})

t.test('a job without an answer ends by the signal, together with the process', async (t) => {
  const { engine, sandboxes } = await withSpare(t)
  const reason = new Error('too slow')
  const job = new AbortController()
  {
    await using box = await sandboxes.open('a', [engine])
    const running = runStatements(box, engine, ['time.sleep(60)'], { signal: job.signal })
    setTimeout(() => job.abort(reason), 200)
    await t.rejects(running, reason)
    t.same(await runStatements(box, engine, mark), ['new'], 'one is started for the job')
    t.same(await runStatements(box, engine, mark), ['same'], 'and serves the rest of it')
  }
})

t.test('an engine that does not start is reported, and its job fails', async (t) => {
  const engine = makeServer(1, { boot: 'raise SystemExit("no module named warmth")' })
  const { sandboxes, heard } = await startSandboxes(t)
  warm(sandboxes, engine)
  await t.rejects(once(sandboxes, 'a', engine), { code: 'CONVERSION_ERROR' })
  await until(() => heard.warnings.length > 0)
  t.match(heard.warnings, [[{ engine: 'warmed' }, /cannot start an engine in advance/]])
})

t.test('closing ends all processes', async () => {
  // Processes that were killed may still be ending.
  await until(async () => (await processesWith('--args', 'json.loads(line)')).length === 0)
})
