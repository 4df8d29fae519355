import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Creates a temporary folder that every user may enter: engines run as another user. The caller removes it. */
export async function newFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'athanor-test-'))
  await chmod(folder, 0o711)
  return folder
}

/**
 * Removes a folder with its content. Tries again for 20 s while programs write there: those of a killed service end a
 * moment after it.
 */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** Creates a temporary folder that is removed with the test. @param parent Such as one on another file system. */
export async function folderOf(t: Test, parent?: string): Promise<string> {
  const folder = await newFolder(parent)
  t.teardown(() => removeFolder(folder))
  return folder
}

/** Calls `use` with a temporary folder, and removes the folder afterwards. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await newFolder()
  try {
    return await use(folder)
  } finally {
    await removeFolder(folder)
  }
}
