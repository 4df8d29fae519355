import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const module = (name: string) => JSON.stringify(join(import.meta.dirname, name))
const script = `
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { lowerPriority, raisePriority } from ${module('../../kernel/sandbox/priority.ts')}
import { until } from ${module('stage.ts')}
const { pid } = spawn('sleep', ['60'], { detached: true })
const nice = () => Number(/nice (-?\\d+)/.exec(readFileSync('/proc/' + pid + '/autogroup', 'utf8'))[1])
try {
  await until(() => (lowerPriority(pid, () => true), nice() === 3), 20_000)
  raisePriority(pid, () => true)
  await until(() => nice() === 0, 20_000)
} finally {
  process.kill(pid)
}
`

t.test(
  'a priority is raised also if the kernel accepts no change for a moment, as it does from ordinary users',
  { skip: !existsSync('/proc/self/autogroup') && 'needs a kernel with autogroups' },
  async (t) => {
    // Without CAP_SYS_ADMIN, a second change within 100 ms is refused.
    const plain = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_admin'] : []
    const [program, ...args] = [...plain, process.execPath, '--input-type=module', '-e', script]
    await t.resolves(promisify(execFile)(program!, args, { timeout: 60_000 }))
  },
)
