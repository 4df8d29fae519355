/** The seccomp profile for Docker, in a container of runc, the program by which Docker starts its containers. */
import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import {
  ABSENT,
  JUDGED,
  PASSING,
  PINNING,
  SYSCALLS,
  UNNEEDED,
  UNSUPPORTED,
} from '../../kernel/sandbox/walls/syscalls.ts'
import { folderOf } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'
import { startChild } from '../harness/servers/child.ts'
import { unpacked } from '../harness/unpacked.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const profile = JSON.parse(await readFile(join(root, 'config/deploy/seccomp.json'), 'utf8'))
const NOBODY = 65_534

/** What bubblewrap calls to build walls, and only the service may. */
const WALLS = ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'sethostname']

t.test('it allows walls, and else nothing that no engine may call', async (t) => {
  const allowed = profile.syscalls.flatMap(({ names }: { names: string[] }) => names)
  const later = [ABSENT, JUDGED, PASSING, PINNING, UNNEEDED, UNSUPPORTED, 'setsid', 'setpgid'].flat()
  const named = Object.values(SYSCALLS).flatMap(({ numbers }) => Object.keys(numbers))
  const refused = named.filter((name) => !later.includes(name) && !WALLS.includes(name))
  t.ok(refused.includes('keyctl') && refused.includes('bpf') && refused.includes('kexec_load'))
  t.strictSame(
    refused.filter((name) => allowed.includes(name)),
    [],
  )
  t.strictSame(
    WALLS.filter((name) => !allowed.includes(name)),
    [],
  )
  t.equal(profile.defaultAction, 'SCMP_ACT_ERRNO')
})

/** Tries calls that an ordinary user may make: each must fail with ENOSYS. Numbers of x86-64. */
const FORBIDDEN = String.raw`
my %calls = (add_key => [248, 0, 0, 0, 0, 0], io_uring_setup => [425, 0, 0], ptrace => [101, 0, 0, 0, 0],
  userfaultfd => [323, 0], AF_ALG => [41, 38, 5, 0], AF_VSOCK => [41, 40, 1, 0], personality => [135, 0x40000]);
while (my ($name, $call) = each %calls) {
  my ($number, @args) = @$call;
  $! = 0;
  syscall($number, @args);
  print "$name: $!\n" unless $! == 38;
}
print "done\n";`

t.test('the service converts in such a container, as an ordinary user', async (t) => {
  const folder = await folderOf(t)
  const runc = await unpacked('runc', 'usr/bin/runc', folder)
  const port = await freePort()
  const container = await bundle(folder, port)
  const args = ['--root', join(folder, 'state')]
  const base = `http://127.0.0.1:${port}`
  const command = [runc, ...args, 'run', '--bundle', container, `athanor-${port}`]
  const service = await startChild(command, () => run('curl', ['-sf', `${base}/readyz`]))
  t.teardown(async () => {
    await run(runc, [...args, 'kill', `athanor-${port}`, 'KILL']).catch(() => undefined)
    await service.stop()
  })
  await convert(t, folder, base)
  const { stdout } = await run(runc, [...args, 'exec', `athanor-${port}`, '/usr/bin/perl', '-e', FORBIDDEN])
  if (process.arch === 'x64') t.equal(stdout, 'done\n')
})

/** Packs a file by the service, and unpacks it by another program. */
async function convert(t: Test, folder: string, base: string): Promise<void> {
  await writeFile(join(folder, 'a.txt'), 'Once upon a time.\n')
  await run('tar', ['-cf', 'a.tar', 'a.txt'], { cwd: folder })
  const form = ['-F', `file=@${join(folder, 'a.tar')}`, '-F', 'toFormat=zip', '-o', join(folder, 'a.zip')]
  await run('curl', ['-s', '--fail-with-body', ...form, `${base}/api/convert`])
  t.equal((await run('unzip', ['-p', join(folder, 'a.zip'), 'a.txt'])).stdout, 'Once upon a time.\n')
}

/** Writes an OCI bundle that has what Docker gives a container, and runs the service of this checkout. */
async function bundle(folder: string, port: number): Promise<string> {
  const container = join(folder, 'container')
  const rootfs = join(container, 'rootfs')
  const data = join(folder, 'data')
  await mkdir(rootfs, { recursive: true })
  await mkdir(data)
  await chown(data, NOBODY, NOBODY)
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(rootfs, name))
  const bind = (source: string, destination: string, mode = 'ro') => ({
    source,
    destination,
    type: 'bind',
    options: ['rbind', mode],
  })
  const env = { PATH: '/usr/bin', PORT: port, DATA_DIR: '/data', ATHANOR_ONLY: 'archive' }
  const config = {
    ociVersion: '1.0.2',
    root: { path: 'rootfs', readonly: true },
    process: {
      user: { uid: NOBODY, gid: NOBODY },
      args: ['/app/node_modules/.bin/node', 'kernel/main.ts'],
      cwd: '/app',
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      capabilities: { bounding: ['CAP_SETUID', 'CAP_SETGID'] },
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] },
      ...['/usr', '/etc', '/var'].map((place) => bind(place, place)),
      bind(root, '/app'),
      bind(data, '/data', 'rw'),
    ],
    // With the network of this machine, so that the test reaches it.
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })), seccomp: profile },
  }
  await writeFile(join(container, 'config.json'), JSON.stringify(config))
  return container
}
