import { chmod, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { probeEngines } from '../../kernel/catalogue/probe.ts'
import type { Engine } from '../../kernel/contract.ts'
import { makeDataDir } from './stage.ts'

const engine = (name: string, ...binary: string[]): Engine => ({
  ...{ name, binary, version: ['version'], features: ['features'], package: `${name}-tools`, argv: () => [] },
})

t.test('programs are found, asked once, and asked again when they change', async (t) => {
  const folder = await makeDataDir(t)
  const asked = join(folder, 'asked')
  const program = join(folder, 'program')
  const write = async (version: string) => {
    const script = `#!/bin/sh\necho "$1" >> ${asked}\n[ "$1" = version ] && echo "Tool v${version} (2026)" || echo "A jpeg B"\n`
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
  const probe = async () => (await probeEngines([found], folder)).get(found)

  t.same(await probe(), { path: program, version: '1.2.3', features: 'A jpeg B' })
  t.same(await probe(), { path: program, version: '1.2.3', features: 'A jpeg B' })
  t.same((await readFile(asked, 'utf8')).trim().split('\n').sort(), ['features', 'version'])

  await write('2.0')
  await utimes(program, 1, 1)
  t.match(await probe(), { version: '2.0' })
  await writeFile(join(folder, 'probes.json'), '{"broken')
  t.match(await probe(), { version: '2.0' })
  t.equal((await stat(join(folder, 'probes.json'))).mode & 0o777, 0o600)
})

t.test('what is missing says what brings it', async (t) => {
  const folder = await makeDataDir(t)
  await writeFile(join(folder, 'broken'), '#!/no/such/interpreter\n')
  await chmod(join(folder, 'broken'), 0o755)
  const [none, broken] = [engine('none', 'no-such-program'), engine('broken', join(folder, 'broken'))]
  const probes = await probeEngines([none, broken], folder)
  t.same(probes.get(none), { missing: 'none: no-such-program is not installed; apt-get install none-tools brings it' })
  t.match(probes.get(broken), { missing: /does not start; apt-get install broken-tools/ })
})

t.test('a program of the system is found by its name, without links in its path', async (t) => {
  const folder = await makeDataDir(t)
  const python = { ...engine('python', 'python3'), version: ['--version'], features: undefined } as unknown as Engine
  t.match((await probeEngines([python], folder)).get(python), { path: /^\/usr\/bin\/python3\.\d+$/, version: /^3\./ })
})
