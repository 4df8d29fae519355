/** What a taken-over converter can reach: each engine's own profile, seen from inside. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Engine } from '../../../kernel/contract.ts'
import { BINDS } from '../../../kernel/sandbox/walls/bubblewrap.ts'
import { makeSource, runScript, startSandboxes } from '../../harness/sandboxes.ts'

const folder = join(import.meta.dirname, '../../../engines')
const isEngine = (value: unknown): value is Engine => Boolean((value as Engine)?.binary && (value as Engine).argv)

/** Bundled engines, one for each different profile. */
const engines = new Map<string, Engine>()
for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
  for (const value of Object.values(await import(join(folder, file)))) {
    if (isEngine(value)) engines.set(`${value.name} ${JSON.stringify(value.sandbox ?? {})}`, value)
  }
}

/**
 * Prints JSON. `expected`: places where files of the machine may be. Looks outside system folders, at 100,000 entries.
 */
const LOOK = `
import json, os, socket
def writable():
    for line in open('/proc/mounts'):
        place = line.split()[1]
        if not os.path.isdir(place): continue
        try:
            os.close(os.open(place, os.O_TMPFILE | os.O_WRONLY)); yield place
        except OSError: pass
def files():
    seen = 0
    for top in os.listdir('/'):
        if top in ('proc', 'dev', 'usr', 'in', 'out', 'scratch', 'tmp') or os.path.islink('/' + top): continue
        for place, _, names in os.walk('/' + top):
            for name in names:
                seen += 1
                assert seen < 100_000
                file = os.path.join(place, name)
                if not any(file == each or file.startswith(each + '/') for each in expected): yield file
def opens(family):
    try: socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW).close(); return True
    except OSError: return False
status = dict(line.rstrip('\\n').split(':\\t', 1) for line in open('/proc/self/status') if ':\\t' in line)
print(json.dumps({
    'user': [os.getuid(), os.getgid(), os.getgroups()],
    'rights': [status[name].strip() for name in ('CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp')],
    'environment': sorted(os.environ), 'outer': open('/proc/1/environ').read(),
    'descriptors': len(os.listdir('/proc/self/fd')) - 1,
    'processes': len([name for name in os.listdir('/proc') if name.isdigit()]),
    'writable': sorted(set(writable())), 'strays': sorted(files())[:50], 'inputs': os.listdir('/in'),
    'sockets': [family for family in (1, 2, 10, 16, 17) if opens(family)],
    'network': [line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line],
}))
`

const STANDARD = ['HOME', 'LANG', 'LC_ALL', 'PATH', 'PWD', 'TMPDIR', 'TZ', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME']
STANDARD.push('XDG_RUNTIME_DIR', 'LC_CTYPE')

t.ok(engines.size > 40, `${engines.size} engines`)
const { sandboxes, dataDir } = await startSandboxes(t)
const source = await makeSource(dataDir, 'the source')
await using other = await sandboxes.open('somebody else', [])
await other.place(await makeSource(dataDir, 'of another job', 'other'), 'file.png')

for (const [key, { name, sandbox = {} }] of engines) {
  t.test(name, async (t) => {
    await using box = await sandboxes.open('an owner', [])
    await box.place(source, 'file.png')
    const python: Engine = { name: 'python3', binary: ['python3'], version: [], argv: (_, args) => args, sandbox }
    const places = [...BINDS, ...(sandbox.binds ?? []), ...(sandbox.mounts ?? []).map(([, place]) => place)]
    places.push('/etc/passwd', '/etc/group')
    const script = `expected = ${JSON.stringify(places)}\n${LOOK}`
    const seen = JSON.parse((await runScript(box, python, script)).at(-1)!)

    t.same(seen.user.slice(0, 2), [1000, 1000], key)
    t.same(seen.rights, ['0000000000000000', '0000000000000000', '1', '2'])
    const known = [...STANDARD, ...Object.keys(sandbox.env ?? {})]
    t.same(
      seen.environment.filter((variable: string) => !known.includes(variable)),
      [],
    )
    t.equal(seen.outer, '', 'of the service it has no environment')
    t.equal(seen.descriptors, 3)
    t.ok(seen.processes <= 3, `${seen.processes} processes`)
    t.same(seen.writable, ['/dev/shm', '/out', '/scratch', '/tmp'])
    t.same(seen.strays, [], 'files of the machine')
    t.same(seen.inputs, ['file.png'])
    t.same(seen.sockets, sandbox.unixSockets ? [1] : [])
    t.same(seen.network, ['lo'])
  })
}
