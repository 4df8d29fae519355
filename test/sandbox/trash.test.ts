/** How folders of jobs are removed: also those that a killed service left. */
import { chown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeFolder } from '../../kernel/sandbox/folder.ts'
import { startTrash } from './start-trash.ts'

t.test('a sweep does not mind folders that are being removed', async (t) => {
  const { work, user, trash } = await startTrash(t)
  const folders = await Promise.all(Array.from({ length: 50 }, () => makeFolder(work, user)))
  await Promise.all(folders.map(trash.discard))
  await trash.sweep(['.sandbox'])
  await trash.idle()
  t.same(await readdir(`${work}/trash`), [])
})

t.test('folders that were half made, or half removed, when the service was killed', async (t) => {
  const { work, user, trash } = await startTrash(t)
  await mkdir(join(work, 'job-1-empty'))
  await mkdir(join(work, 'job-1-part/scratch/more'), { recursive: true })
  for (const path of ['scratch', 'scratch/more'])
    if (user) await chown(join(work, 'job-1-part', path), user.uid, user.gid)
  await mkdir(join(work, 'trash/job-1-removed/in'), { recursive: true })
  await trash.sweep(['.sandbox'])
  await trash.idle()
  t.same((await readdir(work)).sort(), ['.sandbox', 'trash'])
  t.same(await readdir(join(work, 'trash')), [])
})
