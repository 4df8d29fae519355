import type { Given } from '../work/files.ts'
import { ArchiveError, type Member, type Refusal, readDirectory } from './directory.ts'
import { unpack } from './unpack.ts'

/** What a look into an archive shows: the number of its files and their bytes, or why it cannot be opened here. */
export type Contents = { count: number; bytes: number } | { refusal: Refusal }

export async function lookInto(archive: File): Promise<Contents> {
  try {
    const members = await readDirectory(archive)
    return { count: members.length, bytes: members.reduce((sum, { size }) => sum + size, 0) }
  } catch (error) {
    return { refusal: refusalOf(error) }
  }
}

/** Unpacks all files of an archive, with their folders. @throws ArchiveError. */
export async function open(archive: File, signal: AbortSignal): Promise<Given[]> {
  const members = await readDirectory(archive)
  const root = rootOf(archive.name, members)
  const files: Given[] = []
  // One after the other: the browser moves large files to its disk.
  for (const member of members) {
    const folder = [...root, ...member.path.split('/').slice(0, -1)].join('/')
    files.push({ file: await unpack(archive, member, signal), ...(folder && { folder }) })
  }
  return files
}

/** The archive's name becomes the folder of its files, unless they are in one folder already. */
function rootOf(name: string, members: readonly Member[]): string[] {
  const tops = new Set(members.map(({ path }) => (path.includes('/') ? path.split('/')[0] : undefined)))
  return tops.size === 1 && !tops.has(undefined) ? [] : [name.replace(/\.zip$/i, '')]
}

export const refusalOf = (error: unknown): Refusal => (error instanceof ArchiveError ? error.refusal : 'damaged')
