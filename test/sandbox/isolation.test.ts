import { execFile } from 'node:child_process'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import type { Engine } from '../../kernel/contract.ts'
import { hostnameOptions } from '../../kernel/sandbox/walls/bubblewrap.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { folderOf } from '../harness/folder.ts'
import { makeSource, python, pythonWithSockets, runScript, sh, startSandboxes } from '../harness/sandboxes.ts'

t.test('there is no network', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  const hits: unknown[] = []
  const server = createServer((socket) => hits.push(socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  await using box = await sandboxes.open('a', [])

  const attempts = `
import errno, socket
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, 38):
    try: socket.socket(family, socket.SOCK_DGRAM); print(int(family), 'open')
    except OSError as error: print(int(family), errno.errorcode[error.errno])
a, b = socket.socketpair(); a.send(b'x'); print('pair', b.recv(1))
`
  const refused = (family: number) => `${family} EAFNOSUPPORT`
  const pair = "pair b'x'"
  t.same(await runScript(box, python, attempts), [...[1, 2, 10, 16, 17, 38].map(refused), pair])
  t.same(await runScript(box, pythonWithSockets, attempts), ['1 open', ...[2, 10, 16, 17, 38].map(refused), pair])
  await t.rejects(runScript(box, python, `import urllib.request as r; r.urlopen('http://127.0.0.1:${port}')`))
  t.equal(hits.length, 0)
})

t.test('files of the host and of other jobs do not exist', async (t) => {
  const { sandboxes, dataDir } = await startSandboxes(t)
  await writeFile(join(dataDir, 'secret'), 'canary')
  await using other = await sandboxes.open('b', [])
  await other.place(await makeSource(dataDir, 'canary of another job'), 'file.png')
  await using box = await sandboxes.open('a', [])
  await box.place(await makeSource(dataDir, 'mine', 'mine'), 'file.png')

  const script = `
for path in /root /home /run /sys /boot /opt /srv /mnt /etc/shadow /etc/hostname "${dataDir}" "${process.cwd()}"; do
  [ -e "$path" ] && echo "sees $path"
done
cat /etc/passwd /in/*
ls / | tr '\\n' ' '; echo
ls /dev | tr '\\n' ' '; echo
cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c "^${dataDir}"
for path in / /usr/x /etc/x /in/x /dev/x /proc/sys/kernel/core_pattern /sys/x; do (echo > "$path") 2>&-  && echo "writes $path"; done
for path in /out /scratch /tmp /dev/shm; do echo 1 > $path/x || echo "cannot write $path"; done
pwd
`
  t.same(await runScript(box, sh, `{ ${script} } 2>/dev/null`), [
    'user:x:1000:1000::/tmp/home:/usr/sbin/nologin',
    'mine' + 'bin dev etc in lib lib64 out proc sbin scratch tmp usr var ',
    'fd full null random shm stderr stdin stdout urandom zero ',
    '0',
    '/scratch',
  ])
  t.same((await readdir(dataDir)).sort(), ['mine', 'secret', 'source', 'work'])
})

t.test('the source cannot be changed, replaced or linked to', async (t) => {
  const { sandboxes, dataDir } = await startSandboxes(t)
  const source = await makeSource(dataDir, 'original')
  await using box = await sandboxes.open('a', [])
  await box.place(source, 'file.png')
  const script = `
import os
for act in (lambda: open('/in/file.png', 'a'), lambda: os.unlink('/in/file.png'), lambda: os.chmod('/in/file.png', 0o777),
            lambda: os.link('/in/file.png', '/out/file.txt'), lambda: os.rename('/in/file.png', '/out/file.txt')):
    try: act(); print('done')
    except OSError as error: print('refused')
print(open('/in/file.png').read())
`
  t.same(await runScript(box, python, script), [...Array(5).fill('refused'), 'original'])
})

t.test('it sees only its own processes, and nothing of the service', async (t) => {
  process.env.ATHANOR_CANARY = 'secret'
  t.teardown(() => delete process.env.ATHANOR_CANARY)
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  const script = `
import os
pids = [int(name) for name in os.listdir('/proc') if name.isdigit()]
print(sorted(pids) == sorted({1, os.getpid()} | set(pids)) and len(pids) <= 3)
print(repr(open('/proc/1/environ').read()))
print(open('/proc/1/cmdline').read().split('\\0')[1:4])
print(sorted(os.environ))
descriptors = sorted(int(fd) for fd in os.listdir('/proc/self/fd'))
print(descriptors)
print(os.getuid(), [line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'NoNewPrivs', 'Seccomp:'))])
try: os.kill(-1, 9); print('killed')
except OSError: print('nobody to kill')
`
  const lines = await runScript(box, python, script)
  t.same(lines.slice(0, -1), [
    'True',
    "''",
    "['--args', '4', '--']",
    "['HOME', 'LANG', 'LC_ALL', 'PATH', 'PWD', 'TMPDIR', 'TZ', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']",
    '[0, 1, 2, 3]', // the fourth belongs to the listing itself
    "1000 ['0000000000000000', '1', '2']",
  ])
})

t.test('an engine can read its own files, also from a checkout in the temporary folder', async (t) => {
  const checkout = await folderOf(t)
  const program = join(checkout, 'program')
  await writeFile(program, '#!/bin/sh\necho it runs\n')
  await chmod(program, 0o755)
  const engine: Engine = { ...sh, sandbox: { binds: [checkout], mounts: [[program, '/tmp/placed']] } }

  const { sandboxes } = await startSandboxes(t)
  await using sandbox = await sandboxes.open('owner', [engine])
  t.same(await runScript(sandbox, engine, `${program}; /tmp/placed`), ['it runs', 'it runs'])
  const write = `for f in ${program} /tmp/placed ${checkout}/new; do echo x 2>/dev/null >$f && echo wrote $f; done; true`
  t.same(await runScript(sandbox, engine, write), [], 'and cannot change it')
  t.same(await runScript(sandbox, engine, 'echo x >/tmp/own && cat /tmp/own'), ['x'], 'its own /tmp stays writable')
})

const options = hostnameOptions(unprivilegedUser())

/** Forbids sethostname(2) in itself and in the program that it becomes, as Podman's filter does (seccomp(2)). */
const FORBID = `
import ctypes, os, struct, sys
number = {'x86_64': 170, 'aarch64': 161}[os.uname().machine]
# Load the number of the system call; if it is this one, return EPERM, else allow it.
program = b''.join(struct.pack('HBBI', *each) for each in
                   [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)])
code = ctypes.create_string_buffer(program)
filter = struct.pack('HxxxxxxP', 4, ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, filter, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
`

t.test('the sandbox has a host name of its own, or keeps what it finds where none may be set', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  t.strictSame(await runScript(box, sh, 'uname -n'), [options.length > 0 ? 'sandbox' : hostname()])
  const walls = join(import.meta.dirname, '../../kernel/sandbox/walls')
  const program = `
    import { hostnameOptions } from ${JSON.stringify(join(walls, 'bubblewrap.ts'))}
    import { unprivilegedUser } from ${JSON.stringify(join(walls, 'user.ts'))}
    console.log(JSON.stringify(hostnameOptions(unprivilegedUser())))`
  const node = [process.execPath, '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', FORBID, ...node])
  t.equal(stdout, '[]\n')
})
