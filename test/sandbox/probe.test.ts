import { chmod, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { probeEngines } from '../../kernel/catalogue/probe.ts'
import type { Engine } from '../../kernel/contract.ts'
import type { Ask } from '../../kernel/sandbox/ask.ts'
import { startSandboxes } from '../harness/sandboxes.ts'

const engine = (name: string, ...binary: string[]): Engine => ({
  name,
  binary,
  version: ['version'],
  features: ['features'],
  package: `${name}-tools`,
  argv: () => [],
  sandbox: { binds: binary.filter((path) => path.startsWith('/')) },
})

t.test('programs are found, probed once, and probed again when they change', async (t) => {
  const { sandboxes } = await startSandboxes(t)
  // The sandbox has its own /tmp.
  const folder = t.testdir({})
  const asked: string[] = []
  const program = join(folder, 'program')
  const write = async (version: string) => {
    const script = `#!/bin/sh\n[ "$1" = version ] && echo "Tool v${version} (2026)" || echo "A jpeg B"\n`
    await writeFile(program, script, { mode: 0o755 })
  }
  await write('1.2.3')
  await symlink(program, join(folder, 'link'))
  await writeFile(join(folder, 'closed'), '', { mode: 0o644 })
  const found = engine(
    'found',
    join(folder, 'none'),
    join(folder, 'closed'),
    folder,
    join(folder, 'link'),
    '/bin/false',
  )
  const binds = [program]
  const ask: Ask = (path, args) => {
    asked.push(...args)
    return sandboxes.ask(path, args, { binds })
  }
  const probe = async () => (await probeEngines([found], folder, ask)).get(found)

  t.same(await probe(), { path: program, version: '1.2.3', features: 'A jpeg B' })
  t.same(await probe(), { path: program, version: '1.2.3', features: 'A jpeg B' })
  t.same(asked.toSorted(), ['features', 'version'])

  await write('2.0')
  await utimes(program, 1, 1)
  t.match(await probe(), { version: '2.0' })
  await writeFile(join(folder, 'probes.json'), '{"broken')
  t.match(await probe(), { version: '2.0' })
  t.equal((await stat(join(folder, 'probes.json'))).mode & 0o777, 0o600)
})

t.test('a missing engine names its package', async (t) => {
  const { dataDir: folder, sandboxes } = await startSandboxes(t)
  await writeFile(join(folder, 'broken'), '#!/no/such/interpreter\n')
  await chmod(join(folder, 'broken'), 0o755)
  const none = engine('none', 'no-such-program')
  const broken = engine('broken', join(folder, 'broken'))
  const probes = await probeEngines([none, broken], folder, sandboxes.ask)
  t.same(probes.get(none), { missing: 'none: no-such-program is not installed; run apt-get install none-tools' })
  t.match(probes.get(broken), { missing: /does not start; run apt-get install broken-tools/ })
})

t.test('a system program is found by its name, and links in its path are resolved', async (t) => {
  const { dataDir: folder, sandboxes } = await startSandboxes(t)
  const python = { ...engine('python', 'python3'), version: ['--version'], features: undefined } as unknown as Engine
  t.match((await probeEngines([python], folder, sandboxes.ask)).get(python), {
    path: /^\/usr\/bin\/python3\.\d+$/,
    version: /^3\./,
  })
})

t.test('files that other users can write are neither run nor read, and root never probes a program', async (t) => {
  for (const sandbox of ['bubblewrap', 'none'] as const) {
    const { dataDir, sandboxes } = await startSandboxes(t, (settings) => ({ ...settings, sandbox }))
    // A folder like /tmp, for everything that reads it from the environment.
    const shared = join(dataDir, 'shared')
    const site = join(shared, '.local/lib', `python${await pythonVersion(sandboxes.ask)}`, 'site-packages')
    await mkdir(site, { recursive: true })
    for (const path of [dataDir, shared]) await chmod(path, 0o777)
    await writeFile(join(site, 'planted.pth'), `import os; open('${shared}/ran', 'w').write(str(os.getuid()))\n`)
    const before = process.env
    process.env = { ...before, TMPDIR: shared, HOME: shared }

    const script = `import os, sys
print('1.0', [os.listdir(os.path.expanduser('~')), os.listdir('.'), sys.flags.no_user_site, sorted(os.environ)])
print('root' if os.stat('/usr').st_uid == os.getuid() else 'nobody')`
    const snake = { ...engine('snake', 'python3'), version: ['-c', 'print("1.0")'], features: ['-c', script] }
    const probe = (await probeEngines([snake], dataDir, sandboxes.ask)).get(snake)
    process.env = before
    t.match(probe, { version: '1.0' }, sandbox)
    const { features } = probe as { features: string }
    t.match(features, /^1\.0 \[\[\], \[\], 0, /, 'home and working folder are empty')
    t.notMatch(features, /JWT|ATHANOR|npm_/, 'nothing of the environment of the service')
    t.match(features, /\nnobody$/, 'root owns /usr, and this is not root')
    t.notOk((await readdir(shared)).includes('ran'), 'what was planted did not run')
  }
})

async function pythonVersion(ask: Ask): Promise<string> {
  const { output } = await ask('/usr/bin/python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])
  return output
}
