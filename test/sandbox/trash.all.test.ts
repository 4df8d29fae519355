/** Trees that are hard to remove. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { makeFolder } from '../../kernel/sandbox/folder.ts'
import { watchEventLoop } from '../fixtures/event-loop.ts'
import { until } from '../harness/until.ts'
import { startTrash } from './start-trash.ts'

t.test('a deep, large or closed tree is removed without blocking the event loop', async (t) => {
  const { work, user, trash } = await startTrash(t)
  const folder = await makeFolder(work, user)
  const script = `
import os
os.makedirs('scratch/closed/inner'); open('scratch/closed/inner/x', 'w')
os.chmod('scratch/closed/inner', 0); os.chmod('scratch/closed', 0)
for i in range(3000): open(f'scratch/{i}', 'w')
os.chdir('out')
for _ in range(10000): os.mkdir('d'); os.chdir('d')
`
  await promisify(execFile)('/usr/bin/python3', ['-c', script], { cwd: folder, ...user })
  const longest = watchEventLoop()
  await trash.discard(folder)
  t.not((await readdir(`${work}/trash`)).length, 0, 'nobody waits for it')
  await trash.idle()
  // If Node itself removed it, the event loop would block for ten seconds.
  const blocked = longest()
  t.ok(blocked < 2000, `the event loop was busy for ${Math.round(blocked)} ms`)
  t.same(await readdir(`${work}/trash`), [])
})

t.test('what cannot be removed is tried again later', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const { work, user, trash } = await startTrash(t)
  const folder = await makeFolder(work, user)
  // As if a program still wrote there: the engines' user cannot remove what is in a folder of root.
  await mkdir(join(folder, 'scratch/theirs/inner'), { recursive: true, mode: 0o700 })
  await trash.discard(folder)
  const [name] = await readdir(`${work}/trash`)
  const kept = join(work, 'trash', name!)
  // Its first removal has ended when the program of the second one is there.
  const other = await makeFolder(work, user)
  await trash.discard(other)
  await until(async () => (await readdir(`${work}/trash`)).length === 1)
  t.same(await readdir(`${work}/trash`), [name])
  await rm(join(kept, 'scratch/theirs'), { recursive: true })
  await until(async () => (await readdir(`${work}/trash`)).length === 0)
})
