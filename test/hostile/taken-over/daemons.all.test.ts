/** Without a sandbox, no namespace holds the processes of a converter together. They must end with the job anyway. */
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { until } from '../../harness/until.ts'
import { attack, startAttacked } from './attack.ts'

/** Leaves the process group, the session and the parent, as daemons do; then runs `work`. */
const LEAVE = (work: string) => `
def leave():
    try: os.setpgid(0, 0)
    except OSError: pass
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ${work}
        os._exit(0)
    os._exit(0)
if os.fork() == 0: leave()
time.sleep(5)
give()
`

t.test('a daemon ends with its job', async (t) => {
  const { service, dataDir } = await startAttacked(t, { sandbox: 'none' })
  for (const to of ['once', 'sockets'] as const) {
    const running = attack(service, LEAVE('time.sleep(600)'), to)
    await until(() => engines(dataDir).length > 1)
    const { record, id } = await running
    t.equal(record.status, 'completed', id)
    await until(() => engines(dataDir).length === 0)
  }
})

t.test('a daemon counts towards the limits of its job', async (t) => {
  const { service, dataDir } = await startAttacked(t, { sandbox: 'none', limits: { memory: '256MB' } })
  const greedy = LEAVE("room = b'x' * 400_000_000; time.sleep(60); os._exit(0)").replace('sleep(5)', 'sleep(60)')
  t.match((await attack(service, greedy)).record, { status: 'failed', error: { code: 'RESOURCE_LIMIT' } })
  await until(() => engines(dataDir).length === 0)
})

/** Command lines of running engines in this data folder, without zombies. */
function engines(dataDir: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      return command.includes('engine.py\0once') && command.includes(dataDir) ? [command] : []
    } catch {
      return [] // it has ended
    }
  })
}
