/** Our own programs find their compiled code in the sandbox, also if the checkout is mounted elsewhere. */
import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import t from 'tap'
import { bundled, bundles, digestOf } from '../../engines/node/bundled.ts'
import { declarePrograms } from '../../engines/node/declare-programs.ts'
import { commands, compileCacheEnvironment } from '../../engines/node/program.ts'
import { unprivilegedUser } from '../../kernel/sandbox/user.ts'

const root = join(import.meta.dirname, '../..')
await declarePrograms()

/** Returns Node's messages about its cache when it runs a program at `place` with the sandbox's user id. */
function heard(command: readonly string[], place: string): string {
  const moved = (path: string) => path.replace(root, place)
  const cache = moved(compileCacheEnvironment.NODE_COMPILE_CACHE)
  const [node, ...args] = [process.execPath, ...command].map(moved)
  const { stderr } = spawnSync(
    '/usr/bin/bwrap',
    [
      ...['--unshare-user', '--uid', '1000', '--gid', '1000', '--ro-bind', '/usr', '/usr', '--proc', '/proc'],
      ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--tmpfs', '/tmp'],
      ...['--ro-bind', root, place, '--setenv', 'NODE_COMPILE_CACHE', cache],
      ...['--setenv', 'NODE_COMPILE_CACHE_PORTABLE', '1', '--setenv', 'NODE_DEBUG_NATIVE', 'COMPILE_CACHE'],
      ...['--', node!, ...args],
    ],
    { ...unprivilegedUser(), encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: 30_000 },
  )
  return stderr
}

t.test('compiled once', async (t) => {
  t.ok(commands.length > 10)
  for (const command of commands) {
    const name = relative(root, command.at(-1)!)
    const said = heard(command, root)
    if (name.endsWith('.ts'))
      t.match(said, `retrieving transpile cache for StrippedTypeScript file://${command.at(-1)}...success`, name)
    t.match(said, `code cache for ESM file://${command.at(-1)} was accepted`, name)
  }
})

t.test('at any mount point', async (t) => {
  const command = commands.find((words) => words.at(-1)!.endsWith('.ts'))
  t.match(
    heard(command!, '/app'),
    /retrieving transpile cache for StrippedTypeScript file:\/\/\/app\/engines\/\S+success/,
  )
})

t.test('a bundle is used as long as its sources are unchanged', async (t) => {
  const [bundle] = bundles
  t.ok(commands.some((words) => words.at(-1) === bundle!.place))
  const folder = t.testdir()
  const made = join(folder, 'bundles', basename(bundle!.place))
  await mkdir(dirname(made))
  const { madeOf } = JSON.parse(await readFile(`${bundle!.place}.json`, 'utf8')) as { madeOf: string[] }
  t.ok(madeOf.includes(relative(root, bundle!.file)) && madeOf.includes('node_modules/sharp/package.json'))
  const used = async (digest: string, paths = madeOf) => {
    await writeFile(`${made}.json`, JSON.stringify({ madeOf: paths, digest }))
    return bundled(bundle!.file, [], folder)
  }
  t.equal(bundled(bundle!.file, [], folder), undefined, 'missing')
  t.equal(await used(digestOf(madeOf)), made)
  t.equal(await used(digestOf(madeOf.slice(1))), undefined, 'of other sources')
  t.equal(await used(digestOf(madeOf), [...madeOf, 'engines/gone.ts']), undefined, 'of a source that is gone')
})

t.test('a bundle starts without the modules of Node that its jobs do not need', async (t) => {
  const bundle = bundles.find(({ place }) => basename(place) === 'sharp.mjs')
  const tell = `data:text/javascript,process.on('exit', () => console.log(process.moduleLoadList.join('\\n')))`
  const how = { encoding: 'utf8', input: '', timeout: 30_000 } as const
  const { stdout, status } = spawnSync(process.execPath, ['--import', tell, bundle!.place], how)
  const loaded = stdout.split('\n')
  t.equal(status, 0)
  t.ok(loaded.includes('ready') && loaded.includes('NativeModule stream'))
  for (const name of ['child_process', 'crypto']) t.notOk(loaded.includes(`NativeModule ${name}`), name)
})

t.test('the programs that set-up ran left nothing in the checkout', async (t) => {
  const strange = (await readdir(root)).filter((name) => /^\.(config|cache|local|pki)$|chromium/i.test(name))
  t.strictSame(strange, [])
})
