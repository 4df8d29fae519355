import { join } from 'node:path'
import type { Test } from 'tap'
import { bubblewrap } from '../../kernel/sandbox/process/launch.ts'
import { createTrash } from '../../kernel/sandbox/trash.ts'
import { memoryFileSystems } from '../../kernel/sandbox/walls/bubblewrap.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { folderOf } from '../harness/folder.ts'
import { MiB } from '../harness/sandboxes.ts'

/** A work folder with its trash. */
export async function startTrash(t: Test) {
  const work = await folderOf(t)
  const user = unprivilegedUser()
  const limits = { cpu: 60, fileSize: MiB }
  const launcher = await bubblewrap({
    folder: join(work, '.sandbox'),
    limits,
    sizes: memoryFileSystems(256 * MiB),
    user,
    name: 'athanor-test',
  })
  const trash = await createTrash(work, launcher, user)
  return { work, user, trash }
}
