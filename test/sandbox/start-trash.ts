import { join } from 'node:path'
import type { Test } from 'tap'
import { memoryFileSystems } from '../../kernel/sandbox/bubblewrap.ts'
import { bubblewrap } from '../../kernel/sandbox/launch.ts'
import { createTrash } from '../../kernel/sandbox/trash.ts'
import { unprivilegedUser } from '../../kernel/sandbox/user.ts'
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
