import { chmodSync, chownSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Names of the service's files in its data folder. The service does not touch other files. */
const OWN =
  /^(athanor\.sqlite(-\w+)?|service\.(lock(-\w+)?|pid)|secret|probes\.json(\.\d+)?|service\.json|files|parts|incoming|cache|work|doctor-\w+)$/

/** The folder of jobs: the sandbox decides what the engines' user may enter. */
const JOBS = 'work'
/** Stored files and copies of them: the engines' user reads only the one that is linked into its sandbox. */
const STORED = ['files', 'cache']

/**
 * Closes the data folder's content to other users, including what earlier versions left open: files 0600, folders 0700.
 * The data folder itself is closed if it holds nothing else.
 *
 * @param reader Group of the engines' user, if that is not the service's own user. It may enter the data folder (0710)
 * and read stored files (0640). It cannot enter their folders, so it needs a link.
 */
export function closeToOthers(dataDir: string, reader: number | undefined): void {
  const names = readdirSync(dataDir)
  if (names.every((name) => OWN.test(name) || name === 'lost+found')) set(dataDir, reader ? 0o710 : 0o700, reader)
  for (const name of names.filter((name) => OWN.test(name))) {
    if (name === JOBS) closeJobs(join(dataDir, name))
    else close(join(dataDir, name), STORED.includes(name) ? reader : undefined)
  }
}

/** Nobody may list the folder of jobs or the folders in it. Deeper files belong to the engines' user and are swept. */
function closeJobs(path: string): void {
  for (const folder of [path, ...namesIn(path).map((name) => join(path, name))]) {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats?.isDirectory()) set(folder, stats.mode & 0o711, undefined, stats)
  }
}

function close(path: string, reader: number | undefined): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) {
    // Start at the top: nobody else can replace a file by a link in a closed folder.
    set(path, 0o700, undefined, stats)
    for (const name of namesIn(path)) close(join(path, name), reader)
  } else if (stats?.isFile()) set(path, reader === undefined ? 0o600 : 0o640, reader, stats)
}

/** Lists a folder. None if it is gone: an administrator's command may be removing its own folder or file. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** Sets mode and group if they differ. Skips files of other users, file systems without modes, and what is gone. */
function set(path: string, mode: number, group: number | undefined, stats: Stats = lstatSync(path)): void {
  try {
    if (group !== undefined && stats.gid !== group) chownSync(path, stats.uid, group)
    // Folders keep set-group-ID, which lets volumes of containers share a group.
    const special = stats.isDirectory() ? stats.mode & 0o2000 : 0
    if ((stats.mode & 0o7777) !== (special | mode)) chmodSync(path, special | mode)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'EROFS', 'ENOTSUP', 'ENOENT'].includes(code)) throw error
  }
}
