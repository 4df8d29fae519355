/** Other users of the machine cannot read the data folder. */
import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { closeToOthers } from '../../kernel/boot/folder-modes.ts'
import { folderOf } from '../harness/folder.ts'
import { convert, startService } from '../harness/service.ts'
import { below, NOBODY, readableBy, tooOpen } from './permissions.ts'

const isRoot = process.getuid?.() === 0

t.test('while it runs and converts', { skip: !isRoot }, async (t) => {
  await using service = await startService()
  t.equal((await convert(service)).conversion.status, 'completed')
  const paths = below(service.dataDir)
  for (const ending of ['note.stub', '.bust', 'athanor.sqlite-wal'])
    t.ok(
      paths.some((path) => path.endsWith(ending)),
      ending,
    )
  t.strictSame(readableBy(NOBODY, paths), [])
  t.strictSame(tooOpen(paths), [])
})

/** A data folder in which everything is open, as an earlier version made it. */
async function openFolder(t: Test, ...others: string[]): Promise<string> {
  const folder = await folderOf(t)
  chmodSync(folder, 0o755)
  for (const name of ['files/uploads', 'cache', 'work/job/deep', ...others]) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, name, 'file'), 'secret', { mode: 0o644 })
  }
  for (const name of ['secret', 'athanor.sqlite', 'athanor.sqlite-wal', 'work/job/deep/file'])
    writeFileSync(join(folder, name), 'secret', { mode: 0o644 })
  return folder
}
const modes = (folder: string, ...names: string[]) =>
  names.map((name) => (lstatSync(join(folder, name)).mode & 0o7777).toString(8))

t.test('files with open permissions from an earlier version are closed', async (t) => {
  const folder = await openFolder(t)
  closeToOthers(folder, undefined)
  const names = ['.', 'secret', 'athanor.sqlite', 'athanor.sqlite-wal', 'files', 'files/uploads', 'files/uploads/file']
  t.strictSame(modes(folder, ...names), ['700', '600', '600', '600', '700', '700', '600'])
  t.strictSame(modes(folder, 'work', 'work/job', 'work/job/deep'), ['711', '711', '755'], 'the sandbox closes jobs')
})

t.test('the engines’ group enters, and reads stored files only', { skip: !isRoot }, async (t) => {
  const folder = await openFolder(t)
  chownSync(join(folder, 'files'), 0, 0)
  chmodSync(join(folder, 'files'), 0o2755)
  closeToOthers(folder, NOBODY)
  const names = ['.', 'files', 'files/uploads', 'files/uploads/file', 'cache/file', 'secret']
  t.strictSame(modes(folder, ...names), ['710', '2700', '700', '640', '640', '600'])
  const groups = names.map((name) => lstatSync(join(folder, name)).gid)
  t.strictSame(groups, [NOBODY, 0, 0, NOBODY, NOBODY, 0])
})

t.test('other files in the folder are not touched, nor what a link leads to', async (t) => {
  const folder = await openFolder(t, 'theirs')
  symlinkSync('../theirs/file', join(folder, 'files/link'))
  closeToOthers(folder, undefined)
  t.strictSame(modes(folder, '.', 'theirs', 'theirs/file', 'files'), ['755', '755', '644', '700'])
})
