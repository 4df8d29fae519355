/** Our own programs find their compiled code in the sandbox, also if the checkout is mounted elsewhere. */
import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'
import { declarePrograms } from '../../engines/node/declare-programs.ts'
import { commands, compileCacheEnvironment } from '../../engines/node/program.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'

const root = join(import.meta.dirname, '../..')
await declarePrograms()

/** Returns Node's messages about its cache when it runs a program at `place` with the sandbox's user id. */
function heard(command: readonly string[], place: string): string {
  const moved = (path: string) => path.replace(root, place)
  const cache = moved(compileCacheEnvironment.NODE_COMPILE_CACHE)
  const [node, ...args] = [process.execPath, ...command].map(moved)
  const walls =
    '--unshare-user --uid 1000 --gid 1000 --ro-bind /usr /usr --proc /proc --symlink usr/lib /lib ' +
    `--symlink usr/lib64 /lib64 --tmpfs /tmp --ro-bind ${root} ${place} --setenv NODE_COMPILE_CACHE ${cache} ` +
    '--setenv NODE_COMPILE_CACHE_PORTABLE 1 --setenv NODE_DEBUG_NATIVE COMPILE_CACHE --'
  const { stderr } = spawnSync('/usr/bin/bwrap', [...walls.split(' '), node!, ...args], {
    ...unprivilegedUser(),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 30_000,
  })
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

t.test('the programs that set-up ran left nothing in the checkout', async (t) => {
  const strange = (await readdir(root)).filter((name) => /^\.(config|cache|local|pki)$|chromium/i.test(name))
  t.strictSame(strange, [])
})
