import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { divideGroup } from '../../kernel/sandbox/limits/cgroup.ts'
import { ownGroup, whyNotOurs } from '../../kernel/sandbox/limits/own-cgroup.ts'
import { hasMachineIds } from '../../kernel/sandbox/walls/user.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB, python, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

t.test('finds the own group where version 2 is mounted', async (t) => {
  const mount = (root: string, place: string) =>
    `24 29 0:22 / /proc rw - proc proc rw\n35 24 0:30 ${root} ${place} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n`
  const unit = '/system.slice/athanor.service'
  t.same(ownGroup(`0::${unit}\n`, mount('/', '/sys/fs/cgroup')), { folder: `/sys/fs/cgroup${unit}`, group: unit })
  t.same(ownGroup('0::/\n', mount('/', '/sys/fs/cgroup')), { folder: '/sys/fs/cgroup', group: '/' })
  const hybrid = `12:memory:/a\n1:name=systemd:/b\n0::${unit}\n`
  t.same(ownGroup(hybrid, mount('/system.slice', '/my\\040groups')), {
    folder: '/my groups/athanor.service',
    group: unit,
  })
  const outside = { missing: 'its cgroup is outside its namespace' }
  t.same(ownGroup('0::/user.slice\n', mount('/system.slice', '/sys/fs/cgroup')), outside)
  t.same(ownGroup('0::/../other\n', mount('/', '/sys/fs/cgroup')), outside)
  const none = { missing: 'this machine has no cgroup version 2' }
  t.same(ownGroup('4:memory:/a\n', mount('/', '/sys/fs/cgroup')), none)
  t.same(ownGroup('0::/\n', '31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n'), none)
})

t.test('a group that does not belong to the service is not touched', async (t) => {
  const make = async (files: Record<string, string>) => {
    const folder = await folderOf(t)
    const all = { 'cgroup.procs': '10\n11\n', 'cgroup.subtree_control': '', ...files }
    for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
    return (group: string, env: NodeJS.ProcessEnv = {}) => whyNotOurs(folder, group, env)
  }
  const unit = '/system.slice/athanor.service'
  const none = await make({ 'cgroup.controllers': 'cpu pids\n', 'cgroup.type': 'domain\n' })
  t.match(none('/'), 'no memory controller')
  const top = await make({ 'cgroup.controllers': 'cpu memory pids\n' })
  t.match(top('/'), 'does not own', 'the root of the machine')
  const inner = await make({ 'cgroup.controllers': 'cpu memory pids\n', 'cgroup.type': 'domain\n' })
  t.match(inner(unit), 'does not own', 'somebody else’s group in the same namespace')
  t.equal(inner('/'), undefined, 'the root of a namespace of its own')
  t.match(inner(unit, { SYSTEMD_EXEC_PID: '12' }), 'systemd unit', 'a shell that a unit has started elsewhere')
  const isRoot = process.getuid?.() === 0 && hasMachineIds()
  const said = inner(unit, { SYSTEMD_EXEC_PID: '10' })
  if (isRoot) t.match(said, 'User=', 'all groups belong to root, given or not')
  else t.equal(said, undefined)

  // The service is root in a user namespace that root has made for it: see config/run.sh. Its unit's groups look like
  // root's.
  const folder = await folderOf(t)
  const files = { 'cgroup.controllers': 'memory\n', 'cgroup.procs': '10\n', 'cgroup.subtree_control': '' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const module = JSON.stringify(join(import.meta.dirname, '../../kernel/sandbox/limits/own-cgroup.ts'))
  const script = `import { whyNotOurs } from ${module}
console.log(process.getuid(), whyNotOurs(${JSON.stringify(folder)}, '${unit}', { SYSTEMD_EXEC_PID: '10' }))`
  const inside = ['--user', '--map-root-user', process.execPath, '--input-type=module', '-e', script]
  t.equal((await promisify(execFile)('unshare', inside)).stdout, '0 undefined\n')
})

const memory = 48 * MiB
let missing = ''
const log = {
  info: ({ reason }: { reason: string }) => {
    missing = reason
  },
}
const groups = divideGroup(memory, process.env, log as never)

t.test('real groups', { skip: missing }, async (t) => {
  const own = ownGroup(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'))
  if ('missing' in own) throw new Error(own.missing)
  t.match(own.folder, /\/service$/, 'the service has moved to a group of its own')
  const parent = join(own.folder, '..')
  const jobs = () => readdirSync(parent).filter((name) => name.startsWith('job-'))
  const { sandboxes } = await startSandboxes(t, (same) => ({ ...same, limits: { ...same.limits, memory } }), groups)

  await t.test('a job runs in a group with limits, which is removed with it', async (t) => {
    await using box = await sandboxes.open('a', [])
    const running = runScript(box, sh, 'sleep 5; echo done')
    await until(() => jobs().some((name) => readFileSync(join(parent, name, 'cgroup.procs'), 'utf8') !== ''))
    const [job] = jobs()
    const bound = (name: string) => readFileSync(join(parent, job!, name), 'utf8').trim()
    t.equal(bound('memory.max'), `${memory * 1.125}`)
    t.equal(bound('memory.oom.group'), '1')
    t.equal(bound('pids.max'), '72')
    t.same(await running, ['done'])
    await until(() => jobs().length === 0)
  })

  await t.test('memory that no process shows ends only its own job', async (t) => {
    await using box = await sandboxes.open('a', [])
    await using other = await sandboxes.open('b', [])
    // Full pipes, fewer than the descriptors of ordinary programs.
    const attack = `
import os
parent = os.fork()
pipes = [os.pipe2(os.O_NONBLOCK) for _ in range(450)]
for _, end in pipes: os.write(end, bytes(65536))
if parent: os.wait()`
    const beside = runScript(other, sh, 'sleep 3; echo done')
    await t.rejects(runScript(box, python, attack, { signal: AbortSignal.timeout(250_000) }), {
      code: 'RESOURCE_LIMIT',
      message: 'The conversion was stopped because it used more memory than allowed',
    })
    t.same(await beside, ['done'])
    t.same(await runScript(other, sh, 'echo again'), ['again'])
    await until(() => jobs().length === 0)
  })

  await t.test('groups left by an earlier start are removed', async (t) => {
    mkdirSync(join(parent, 'job-left'))
    t.ok(divideGroup(memory, process.env, log as never), missing)
    await until(() => jobs().length === 0)
  })
})
