/**
 * A taken-over converter at its walls: system calls by which it would block others or use what nobody counts, its
 * source, and its result.
 */
import { spawnSync } from 'node:child_process'
import { appendFile, chown, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { treeBelow } from '../../../kernel/sandbox/limits/processes.ts'
import { unprivilegedUser } from '../../../kernel/sandbox/walls/user.ts'
import { installation, leftovers, storedKeys } from '../../harness/installation.ts'
import { pluginsOf, type Service } from '../../harness/program.ts'
import { until } from '../../harness/until.ts'
import { attack, excess, startAttacked, type Target } from './attack.ts'

const { service, dataDir } = await startAttacked(t)

/** Calls, made inside the engine, each with what the sandbox must answer. Gives their number, and what is wrong. */
const CALLS = `
import mmap, socket, fcntl, shutil, struct, tempfile
fd = os.open(scratch + '/file', os.O_RDWR | os.O_CREAT)
os.write(fd, b'x' * 4096)
PRIVATE, SHARED, ANONYMOUS, HUGE = 2, 1, 0x20, 0x40000
space = ctypes.create_string_buffer(48)
zero = os.open('/dev/zero', os.O_RDWR)
try: terminal = os.open('/dev/ptmx', os.O_RDWR)
except OSError: terminal = fd
pipe, other, pair = os.pipe(), os.pipe(), socket.socketpair()
os.write(pipe[1], b'x')
vector = ctypes.create_string_buffer(struct.pack('PN', ctypes.addressof(space), 1))
answers = {
    # Hold up whoever opens the file, and what runs on the whole machine.
    'lease: EPERM': syscall('fcntl', fd, 1024, 1),
    'notify: EPERM': syscall('fcntl', os.open(scratch, os.O_RDONLY), 1026, 2),
    'sync: 0': syscall('sync'), 'syncfs: 0': syscall('syncfs', fd),
    'ioprio_set: EPERM': syscall('ioprio_set', 1, 0, 0x4000),
    # Disk space that is written by nobody.
    'fallocate: ENOTSUP': syscall('fallocate', fd, 1, 0, 4096),
    'FS_IOC_RESVSP64: ENOTTY': syscall('ioctl', fd, 0x4030582a, space),
    'FS_IOC_SETFLAGS: ENOTTY': syscall('ioctl', fd, 0x40086602, space),
    # Bounds that all programs of the machine share.
    'io_setup: ENOSYS': syscall('io_setup', 100, space), 'inotify: ENOSYS': syscall('inotify_init1', 0),
    'io_uring: ENOSYS': syscall('io_uring_setup', 1, space), 'pipe size: EPERM': syscall('fcntl', os.pipe()[1], 1031, 2 ** 20),
    # Memory that belongs to no process.
    'semget: EPERM': syscall('semget', 0, 100, 0o1700), 'shmget: EPERM': syscall('shmget', 0, 4096, 0o1700),
    'msgget: EPERM': syscall('msgget', 0, 0o1700), 'mq_open: ENOSYS': syscall('mq_open', b'queue', 0o102, 0o600, 0),
    'shared and anonymous: EPERM': syscall('mmap', 0, 4096, 3, SHARED | ANONYMOUS, -1, 0),
    'shared zeros: ENODEV': syscall('mmap', 0, 4096, 3, SHARED, zero, 0),
    'huge pages: ENOMEM': syscall('mmap', 0, 2 ** 21, 3, PRIVATE | ANONYMOUS | HUGE, -1, 0),
    'access list: ENOTSUP': syscall('setxattr', b'/tmp', b'system.posix_acl_default', space, 4, 0),
    'landlock: ENOSYS': syscall(444, ctypes.create_string_buffer(struct.pack('QQ', 0, 3), 16), 16, 0),
    # Pages of files in pipes, each of which keeps a huge page, and open files in queues of sockets.
    'splice: EINVAL': syscall('splice', fd, space, pipe[1], 0, 1, 0), 'tee: EINVAL': syscall('tee', pipe[0], other[1], 1, 0),
    'vmsplice: EINVAL': syscall('vmsplice', pipe[1], vector, 1, 0), 'sendfile: EINVAL': syscall('sendfile', pipe[1], fd, space, 1),
    'sendmsg: EPERM': syscall('sendmsg', pair[0].fileno(), ctypes.create_string_buffer(56), 0),
    # Terminals, whose number all programs of the machine share.
    'pseudo-terminal: True': terminal == fd,
    'seccomp: ENOSYS': syscall('seccomp', 2, 0, ctypes.create_string_buffer(4)), 'PR_SET_SECCOMP: EINVAL': syscall('prctl', 22, 2, 0),
    # Those that hide a process from the service.
    'undumpable: 0 1': f"{syscall('prctl', 4, 0)} {syscall('prctl', 3)}", 'no reaper: 0': syscall('prctl', 36, 0),
    # Parts of the kernel that nobody here needs.
    **{f'socketpair {family}: EAFNOSUPPORT': syscall('socketpair', family, kind, protocol, space)
       for family, kind, protocol in ((2, 1, 262), (16, 3, 0), (30, 1, 0), (40, 1, 0))},
    # The network: UDP, TCP, MPTCP, raw, of IPv6, of the kernel itself, Bluetooth, of virtual machines, of its ciphers.
    **{f'socket {family} {kind} {protocol}: EAFNOSUPPORT': syscall('socket', family, kind, protocol)
       for family, kind, protocol in ((2, 2, 0), (2, 1, 0), (2, 1, 262), (2, 3, 1), (10, 2, 0), (10, 1, 262), (16, 3, 0),
                                      (17, 3, 0), (31, 3, 0), (40, 1, 0), (38, 5, 0))},
    'line discipline: EPERM': syscall('ioctl', terminal, 0x5423, space),
    'remap_file_pages: EPERM': syscall('remap_file_pages', 0, 0, 0, 0, 0), 'cachestat: EPERM': syscall('cachestat', fd, 0, 0, 0),
    'unknown: ENOSYS': syscall(460, 0, 0, 0, 0), 'real time: EPERM': syscall(119 if platform.machine() == 'aarch64' else 144, 0, 1, ctypes.create_string_buffer(b'\x01', 8)),
}
# What programs need every day.
pair[0].send(b'x')
pair[0].settimeout(1)
pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
assert pair[0].getsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED) == 1
# Queues of sockets keep the size that is counted, whichever way larger ones are asked for.
for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
    pair[0].setsockopt(socket.SOL_SOCKET, option, 2 ** 30)
for option in (32, 33):
    answers[f'socket option {option}: 0'] = syscall('setsockopt', pair[0].fileno(), 1, option, space, 4)
for name in ('SO_SNDBUF', 'SO_RCVBUF'):
    sizes = [end.getsockopt(socket.SOL_SOCKET, getattr(socket, name)) for end in pair]
    answers[f'{name}: as before'] = 'as before' if sizes[0] == sizes[1] else f'{sizes[1]} became {sizes[0]}'
mmap.mmap(fd, 4096)[:1] = b'y'
mmap.mmap(-1, 4096, mmap.MAP_PRIVATE)
fcntl.lockf(fd, fcntl.LOCK_EX)
os.posix_fallocate(fd, 0, 8192)
os.fsync(fd)
shutil.copyfile('/usr/bin/perl', scratch + '/copy')
assert os.path.getsize(scratch + '/copy') == os.path.getsize('/usr/bin/perl')
assert os.fstat(fd).st_size == 8192 and open('/dev/zero', 'rb').read(3) == bytes(3)
wrong = [f'{name}, not {answer}' for name, answer in answers.items() if not name.endswith(f': {answer}')]
give('\\n'.join([f'{len(answers)} calls', *wrong]))
`

/** What is wrong with the answers of a sandbox, without what differs on purpose. */
async function wrongAnswers(t: Test, service: Service, to: Target, except: RegExp): Promise<void> {
  const { text = '', record } = await attack(service, CALLS, to)
  const [count, ...wrong] = text.split('\n')
  t.equal(count, '55 calls', `${to} ${record.error?.message ?? ''}`)
  // Engines that may use Unix sockets may send messages through them.
  const expected = to === 'sockets' ? ['sendmsg: EPERM, not 0'] : []
  t.same(
    wrong.filter((line) => !except.test(line)),
    expected,
    to,
  )
}

t.test('the sandbox refuses the calls', async (t) => {
  for (const to of ['once', 'warm', 'sockets'] as const) await wrongAnswers(t, service, to, /^$/)
})

t.test('they are refused also without a sandbox, where Landlock covers only files and TCP', async (t) => {
  const { service } = await startAttacked(t, { sandbox: 'none' })
  t.match(service.log(), /only (Landlock and )?the system call filter for the isolation/)
  // Without a sandbox, the devices are the machine's own.
  for (const to of ['once', 'warm', 'sockets'] as const)
    await wrongAnswers(t, service, to, /^(shared zeros|pseudo-terminal):/)
  t.equal(await service.end('SIGTERM'), 0)
})

t.test('the kernel kills engines and their children before the service', async (t) => {
  const child = `give(os.popen('cat /proc/self/oom_score_adj').read() + open('/proc/self/oom_score_adj').read())`
  for (const to of ['once', 'warm'] as const) t.equal((await attack(service, child, to)).text, '1000\n1000\n', to)
  t.ok(Number(await readFile(`/proc/${service.pid}/oom_score_adj`, 'latin1')) <= 0, 'the service is not')
})

t.test('a stored file with another length than recorded', async (t) => {
  const { record } = await attack(service, 'give("twelve bytes")')
  const path = join(dataDir, 'files', record.outputFileId)
  await appendFile(path, '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged')
  t.equal(await (await fetch(record.outputUrl)).text(), '#!once\ntwelve bytes', 'what is too much is not sent')
  t.equal(await excess(service, record.outputUrl), 0)
  await truncate(path, 10)
  await t.rejects(
    fetch(record.outputUrl).then((answer) => answer.text()),
    'too little breaks the answer off',
  )
  t.match((await service.call('GET', '/readyz')).status, 200)
})

t.test('neither the source nor its stored file can be changed', async (t) => {
  const script = `
tried = []
for name, act in {
    'write': lambda: open(input, 'r+'), 'truncate': lambda: os.truncate(input, 0), 'mode': lambda: os.chmod(input, 0),
    'owner': lambda: os.chown(input, 1000, 1000), 'time': lambda: os.utime(input), 'remove': lambda: os.unlink(input),
    'rename': lambda: os.rename(input, input + 'x'), 'add': lambda: open(input + 'x', 'w'),
    'attribute': lambda: os.setxattr(input, 'user.x', b'x'), 'link': lambda: os.link(input, scratch + '/link'),
    'reopen': lambda: open(f'/proc/self/fd/{os.open(input, os.O_RDONLY)}', 'r+'),
}.items():
    try: act(); tried.append(name)
    except OSError: pass
give(' '.join(tried))
`
  for (const to of ['once', 'warm'] as const) t.equal((await attack(service, script, to)).text, '')
  const contents = await Promise.all(
    (await storedKeys(dataDir)).map((key) => readFile(join(dataDir, 'files', key), 'utf8').catch(() => '')),
  )
  t.equal(contents.filter((content) => content === `#!script\n${script}`).length, 2)
})

/** The service shares no limit per user with its engines, if root gives it the IDs of `athanor`. */
const NOBODY = 65534

t.test(
  'a service that is not root runs engines as another user',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async (t) => {
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
  },
)
