import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { makeJob, processesWith, python, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

const short = (limit: number | null) => (settings: any) => ({
  ...settings,
  timeouts: { ...settings.timeouts, stalled: limit },
})
const stalled = (seconds: number) => ({
  code: 'TIMEOUT',
  message: `The conversion was stopped because its program did nothing for ${seconds} seconds`,
})

t.test('a stalled program is stopped, in every way of stalling', async (t) => {
  const { sandboxes } = await startSandboxes(t, short(2000))
  for (const script of [
    'kill -STOP $$',
    'sleep 627',
    'sleep 627 & wait',
    'exec /usr/bin/python3 -c "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()"',
    // It worked before it stalled.
    'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 627',
  ]) {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, sh, script), stalled(2), script)
  }
  // Processes that were killed may still be ending.
  await until(async () => (await processesWith('sleep 627')).length === 0)
})

t.test('working programs are not stopped', async (t) => {
  // On a busy machine, a program may have to wait for the processor for a while.
  const { sandboxes } = await startSandboxes(t, short(5000))
  // Each process works for a moment and ends. Its CPU time is counted in its parent.
  const successive = `
import subprocess, time
for _ in range(14):
    subprocess.run(['/usr/bin/python3', '-c', 'sum(range(10**6))'])
    time.sleep(0.6)
print('done')`
  const busy =
    'import time\nend = time.time() + 9\nwhile time.time() < end: sum(range(10**6)); time.sleep(0.2)\nprint("done")'
  const engine: Engine = { ...sh, progress: () => (line) => Number(line) / 10 }
  const reporting = 'for i in 1 2 3 4 5 6 7 8 9; do sleep 1; echo $i; done; echo done'
  const run = async (engine: Engine, script: string) => {
    await using box = await sandboxes.open('a', [])
    return (await runScript(box, engine, script)).at(-1)
  }
  const ends = await Promise.all([run(python, successive), run(python, busy), run(engine, reporting)])
  t.same(ends, ['done', 'done', 'done'])
  // Repeated reports of the same progress are not progress.
  await t.rejects(run(engine, 'while :; do sleep 1; echo 3; done'), stalled(5))
})

t.test('a warm process may be idle between two jobs, but not in one', async (t) => {
  const { sandboxes } = await startSandboxes(t, short(5000))
  const server = `import json, sys, time
print('ready', flush=True)
for request in sys.stdin:
    time.sleep(float(json.loads(request)[0]))
    print('{"done":true}', flush=True)`
  const warm: Engine = { ...python, warm: { argv: ['-c', server], jobs: 9 } }
  const job = makeJob()
  await using box = await sandboxes.open('a', [warm])
  const run = (seconds: number) => box.run(warm, '/usr/bin/python3', job, [seconds], () => {})
  await run(0)
  await new Promise((resolve) => setTimeout(resolve, 8000))
  t.same(await run(0), [], 'it waited for longer than the limit')
  await t.rejects(run(600), stalled(5))
})
