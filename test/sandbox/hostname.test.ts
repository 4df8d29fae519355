/** The sandbox has a host name of its own, and works where Podman's filter of system calls forbids to set one. */
import { execFile } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { hostnameOptions } from '../../kernel/sandbox/walls/bubblewrap.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { runScript, sh, startSandboxes } from '../harness/sandboxes.ts'

const run = promisify(execFile)

const options = hostnameOptions(unprivilegedUser())
const forbidden = options.length === 0 && 'no host name can be set here'

t.test('programs do not see the name of the machine', { skip: forbidden }, async (t) => {
  const { sandboxes } = await startSandboxes(t)
  await using box = await sandboxes.open('a', [])
  t.strictSame(await runScript(box, sh, 'uname -n'), ['sandbox'])
  t.not(hostname(), 'sandbox')
})

/** Forbids sethostname(2) in itself and in the program that it becomes (seccomp(2)). */
const forbid = `
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

t.test('where no host name may be set, the sandbox keeps the one that it finds', async (t) => {
  const program = `
    import { hostnameOptions } from ${JSON.stringify(join(import.meta.dirname, '../../kernel/sandbox/walls/bubblewrap.ts'))}
    import { unprivilegedUser } from ${JSON.stringify(join(import.meta.dirname, '../../kernel/sandbox/walls/user.ts'))}
    console.log(JSON.stringify(hostnameOptions(unprivilegedUser())))`
  const node = [process.execPath, '--input-type=module', '-e', program]
  const asked = async (...command: string[]) => JSON.parse((await run(command[0]!, command.slice(1))).stdout)
  t.strictSame(await asked(...node), options)
  t.strictSame(await asked('/usr/bin/python3', '-c', forbid, ...node), [])
})
