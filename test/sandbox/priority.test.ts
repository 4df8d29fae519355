import { execFile } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const module = (name: string) => JSON.stringify(join(import.meta.dirname, name))
const script = `
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { lowerPriority, raisePriority } from ${module('../../kernel/sandbox/priority.ts')}
import { until } from ${module('../harness/until.ts')}
// Has bwrap's name until it reads a line.
const { pid, stdin } = spawn(process.argv[1], ['-c', 'read line; exec sleep 60'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
const nice = () => Number(/nice (-?\\d+)/.exec(readFileSync('/proc/' + pid + '/autogroup', 'utf8'))[1])
try {
  const began = performance.now()
  const lowered = lowerPriority(pid, () => true)
  await delay(100)
  // On a machine that stands still for so long, it has stopped waiting.
  if (nice() !== 0 && performance.now() - began < 1900) throw new Error('lowered before the sandbox is complete')
  stdin.write('\\n')
  await lowered
  await until(() => (lowerPriority(pid, () => true), nice() === 3))
  raisePriority(pid, () => true)
  await until(() => nice() === 0)
} finally {
  process.kill(pid)
}
`

t.test(
  'a priority is lowered once the sandbox is complete, and raised also if the kernel accepts no change for a moment, as from ordinary users',
  { skip: !existsSync('/proc/self/autogroup') && 'needs a kernel with autogroups' },
  async (t) => {
    // Without CAP_SYS_ADMIN, a second change within 100 ms is refused.
    const plain = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_admin'] : []
    const [program, ...args] = [...plain, process.execPath, '--input-type=module', '-e', script]
    const bwrap = join(t.testdir(), 'bwrap')
    copyFileSync('/bin/sh', bwrap)
    await t.resolves(promisify(execFile)(program!, [...args, bwrap], { timeout: 300_000 }))
  },
)
