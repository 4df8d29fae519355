import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { treeBelow } from '../../kernel/sandbox/limits/processes.ts'
import { until } from '../harness/until.ts'

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
