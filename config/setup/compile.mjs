/** What Node keeps compiled of the programs that engines run: they start in 0.05 s instead of 0.15 s. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Compiles them where that was not done yet for these sources and this Node. Without it they are only slower. */
export function compilePrograms(root) {
  const [node, engines] = [join(root, 'node_modules/.bin/node'), join(root, 'engines')]
  // A container image is set up before the sources are there.
  if (!existsSync(node) || !existsSync(engines) || !existsSync('/usr/bin/bwrap')) return
  const cache = join(root, 'node_modules/.cache/athanor-engines')
  const stamp = join(cache, 'made-of')
  const sources = digestOf(engines, join(root, 'node_modules/.package-lock.json'))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  // The number that programs have in their sandbox.
  const user = ['--unshare-user', '--uid', '1000', '--gid', '1000', '--dev-bind', '/', '/']
  spawnSync('/usr/bin/bwrap', [...user, node, join(engines, 'node/compile.ts')], { stdio: 'ignore', timeout: 300_000 })
  spawnSync('chmod', ['-R', 'go+rX', cache])
  writeFileSync(stamp, sources)
}

function digestOf(folder, lock) {
  const hash = createHash('sha256').update(readFileSync(lock))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}
