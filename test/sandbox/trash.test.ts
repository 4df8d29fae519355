/** How folders of jobs are removed: also those that a killed service left, or that are hard to remove. */
import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { makeFolder } from '../../kernel/sandbox/folder.ts'
import { bubblewrap } from '../../kernel/sandbox/process/launch.ts'
import { createTrash } from '../../kernel/sandbox/trash.ts'
import { memoryFileSystems } from '../../kernel/sandbox/walls/bubblewrap.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { watchEventLoop } from '../fixtures/event-loop.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB } from '../harness/sandboxes.ts'
import { until } from '../harness/until.ts'

/** A work folder with its trash. */
async function startTrash(t: Test) {
  const work = await folderOf(t)
  const user = unprivilegedUser()
  const limits = { cpu: 60, fileSize: MiB }
  const sizes = memoryFileSystems(256 * MiB)
  const launcher = await bubblewrap({ folder: join(work, '.sandbox'), limits, sizes, user, name: 'athanor-test' })
  const trash = await createTrash(work, launcher, user)
  return { work, user, trash, left: () => readdir(join(work, 'trash')) }
}

t.test('a sweep removes what was half made or removed, and does not mind what is being removed', async (t) => {
  const { work, user, trash, left } = await startTrash(t)
  const folders = await Promise.all(Array.from({ length: 50 }, () => makeFolder(work, user)))
  await mkdir(join(work, 'job-1-empty'))
  await mkdir(join(work, 'job-1-part/scratch/more'), { recursive: true })
  for (const path of ['scratch', 'scratch/more'])
    if (user) await chown(join(work, 'job-1-part', path), user.uid, user.gid)
  await mkdir(join(work, 'trash/job-1-removed/in'), { recursive: true })
  await Promise.all(folders.map(trash.discard))
  await trash.sweep(['.sandbox'])
  await trash.idle()
  t.same((await readdir(work)).sort(), ['.sandbox', 'trash'])
  t.same(await left(), [])
})

t.test('a deep, large or closed tree is removed without blocking the event loop', async (t) => {
  const { work, user, trash, left } = await startTrash(t)
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
  t.not((await left()).length, 0, 'nobody waits for it')
  await trash.idle()
  // If Node itself removed it, the event loop would block for ten seconds.
  const blocked = longest()
  t.ok(blocked < 2000, `the event loop was busy for ${Math.round(blocked)} ms`)
  t.same(await left(), [])
})

t.test('what cannot be removed is tried again later', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const { work, user, trash, left } = await startTrash(t)
  const folder = await makeFolder(work, user)
  // As if a program still wrote there: the engines' user cannot remove what is in a folder of root.
  await mkdir(join(folder, 'scratch/theirs/inner'), { recursive: true, mode: 0o700 })
  await trash.discard(folder)
  const [name] = await left()
  // Its first removal has ended when the program of the second one is there.
  await trash.discard(await makeFolder(work, user))
  await until(async () => (await left()).length === 1)
  t.same(await left(), [name])
  await rm(join(work, 'trash', name!, 'scratch/theirs'), { recursive: true })
  await until(async () => (await left()).length === 0)
})
