/** The operations guide lists every command, and every part of the data folder. */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { admin } from '../harness/inside.ts'
import { convert, startService } from '../harness/service.ts'

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
  const { stdout: help } = await admin({}, '--help')
  const commands = [...help.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!)
  const named = cells('| command (after `npm run admin --`) | effect |').map((cell) => /`(\w+)/.exec(cell)![1]!)
  t.strictSame([...new Set(named)].sort(), commands.sort())
})

t.test('every part of a data folder', async (t) => {
  await using service = await startService()
  await convert(service)
  const named = cells('| path | content | back up |').flatMap((cell) =>
    [...cell.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name!.replace(/^-/, 'athanor.sqlite-')),
  )
  const unknown = (await readdir(service.dataDir)).filter((name) => !named.includes(name))
  t.strictSame(unknown, [])
})
