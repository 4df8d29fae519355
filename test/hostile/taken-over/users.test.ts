/**
 * A service that does not run as root shares no limit per user with its engines, if root gives it the IDs of `athanor`.
 */
import { spawnSync } from 'node:child_process'
import { chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { treeBelow } from '../../../kernel/sandbox/limits/processes.ts'
import { unprivilegedUser } from '../../../kernel/sandbox/walls/user.ts'
import { installation, leftovers } from '../../harness/installation.ts'
import { pluginsOf } from '../../harness/program.ts'
import { until } from '../../harness/until.ts'
import { attack } from './attack.ts'

const NOBODY = 65534

t.test('engines run as another user', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  if (spawnSync('newuidmap').error) return void t.fail('newuidmap is not installed: apt-get install uidmap')
  const { dataDir, folder, live } = await installation(t)
  const engines = unprivilegedUser()!
  await mkdir(dataDir)
  await chown(dataDir, NOBODY, NOBODY)
  await writeFile(join(folder, 'subuid'), `nobody:${engines.uid}:1\n`)
  await writeFile(join(folder, 'subgid'), `nobody:${engines.gid}:1\n`)
  const start = `
mount --bind ${folder}/subuid /etc/subuid && mount --bind ${folder}/subgid /etc/subgid &&
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups sh config/run.sh kernel/main.ts`
  const service = await live({ plugins: { ...pluginsOf(), [import.meta.dirname]: true }, warm: { spares: 0 } }, {}, [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    start,
  ])
  const userOf = async (pid: number) => (await stat(`/proc/${pid}`)).uid
  t.equal(await userOf(service.pid), NOBODY)

  const closed = "os.makedirs(scratch + '/a/b'); os.chmod(scratch + '/a', 0); time.sleep(1); give('done')"
  for (const to of ['once', 'warm'] as const) {
    const running = attack(service, closed, to)
    const programs = () => [...treeBelow(service.pid)].filter(([, { name }]) => name.startsWith('python3'))
    await until(() => programs().length > 0)
    const users = await Promise.all(programs().map(([pid]) => userOf(pid)))
    t.same([...new Set(users)], [engines.uid], to)
    t.equal((await running).text, 'done', 'and the service takes their results')
  }
  t.equal(await service.end('SIGTERM'), 0)
  t.same(await leftovers(dataDir), [], 'and removes what they leave')
})
