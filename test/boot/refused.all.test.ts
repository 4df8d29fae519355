/** Starts that the machine refuses: they exit with 78 and print one sentence. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { run } from './program.ts'

const isRoot = process.getuid?.() === 0
const folder = await folderOf(t)
let count = 0
const fresh = () => join(folder, `data-${++count}`)

t.test('a data folder that is not writable', { skip: !isRoot }, async (t) => {
  const dataDir = fresh()
  mkdirSync(dataDir, { mode: 0o755 })
  // Root can write everywhere except on a read-only file system.
  const mounted = `mount -t tmpfs -o ro none ${dataDir} && exec "$0" kernel/main.ts`
  const command = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', mounted, process.execPath]
  if (spawnSync('unshare', ['--mount', 'true']).status === 0) {
    const { code, stderr } = await run(t, command, { DATA_DIR: dataDir, PORT: '0' }).ended()
    t.match({ code, stderr }, { code: 78, stderr: /^DATA_DIR: \S+ is not writable by user 0\. Make it writable .*\n$/ })
  }
  const asNobody = { uid: 65534, gid: 65534 }
  const plain = [process.execPath, 'kernel/main.ts']
  const { code, stderr } = await run(t, plain, { DATA_DIR: dataDir, PORT: '0' }, asNobody).ended()
  t.match({ code, stderr }, { code: 78, stderr: /^DATA_DIR: \S+ is not writable by user 65534\. .*set DATA_DIR/ })
})

t.test('a user namespace that has only root', async (t) => {
  const command = ['unshare', '--user', '--map-root-user', process.execPath, 'kernel/main.ts']
  const { code, stderr } = await run(t, command, { DATA_DIR: fresh(), PORT: '0' }).ended()
  t.match(
    { code, stderr },
    { code: 78, stderr: /^The service runs as root of a user namespace .* another user than root\.\n$/ },
  )
})

t.test('the start script prints the sentence too', { skip: !isRoot }, async (t) => {
  writeFileSync(join(folder, 'file'), '')
  const dataDir = join(folder, 'file', 'below')
  const { code, stderr } = await run(t, ['sh', 'config/run.sh', 'kernel/main.ts'], { DATA_DIR: dataDir }).ended()
  t.match({ code, stderr }, { code: 78, stderr: new RegExp(`^DATA_DIR: ${dataDir} is not a folder.*\n$`) })
})

/** A container may allow everybody to use low ports. */
const isPrivileged = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > 80

t.test('a port that the service is not allowed to use', { skip: !isRoot || !isPrivileged }, async (t) => {
  const dataDir = fresh()
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o777)
  const command = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, 'kernel/main.ts']
  const { code, stderr } = await run(t, command, { DATA_DIR: dataDir, PORT: '80' }).ended()
  // A container may allow everybody to use low ports. Then nothing is refused here.
  if (code !== null)
    t.match({ code, stderr }, { code: 78, stderr: /port 80: EACCES; ports below 1024 need .*Set PORT to/ })
})
