/** The operations guide lists every command, and every part of the data folder. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { removeFolder } from '../harness/folder.ts'
import { startAthanor } from '../harness/program.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8')
/** Returns the first cells of the table with this header. */
const cells = (head: string) =>
  guide
    .split(head)[1]!
    .split('\n\n')[0]!
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ')[0]!)

t.test('every command, and no others', async (t) => {
  const help = execFileSync(process.execPath, [join(root, 'kernel/admin.ts'), '--help'], { encoding: 'utf8' })
  const commands = [...help.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!)
  const named = cells('| command (after `npm run admin --`) | effect |').map((cell) => /`(\w+)/.exec(cell)![1]!)
  t.strictSame([...new Set(named)].sort(), commands.sort())
})

t.test('every part of a data folder', async (t) => {
  const folder = await mkdtemp('/var/tmp/athanor-docs-') // not in /tmp, of which each sandbox has its own
  t.teardown(() => removeFolder(folder))
  await chmod(folder, 0o755) // engines run as another user, which must be able to enter
  const dataDir = join(folder, 'data')
  const service = await startAthanor(dataDir)
  const named = cells('| path | content | back up |').flatMap((cell) =>
    [...cell.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name!.replace(/^-/, 'athanor.sqlite-')),
  )
  const unknown = (await readdir(dataDir)).filter((name) => !named.includes(name))
  t.strictSame(unknown, [])
  await service.end('SIGTERM')
})
