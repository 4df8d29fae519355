import { chmodSync, chownSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** What the service keeps in its data folder, by name. The rest is somebody else's and is left alone. */
const OWN =
  /^(athanor\.sqlite(-\w+)?|service\.(lock(-\w+)?|pid)|secret|probes\.json(\.\d+)?|files|incoming|work|doctor-\w+)$/

/** The folder of jobs: what the engines' user may pass through is for the sandbox to say. */
const JOBS = 'work'
/** Stored files: the engines' user reads the one that it was given, by a link in its sandbox. */
const STORED = 'files'

/**
 * Closes what is in the data folder to other users, also what earlier versions left open: files 0600, folders 0700. The
 * data folder itself is closed when it holds nothing else.
 *
 * @param reader group of the engines' user, when that is not the service's own user: it may pass through the data folder
 *   (0710), and reads stored files (0640) by a link, as it does not reach their folders.
 */
export function closeToOthers(dataDir: string, reader: number | undefined): void {
  const names = readdirSync(dataDir)
  if (names.every((name) => OWN.test(name) || name === 'lost+found')) set(dataDir, reader ? 0o710 : 0o700, reader)
  for (const name of names.filter((name) => OWN.test(name))) {
    if (name === JOBS) closeJobs(join(dataDir, name))
    else close(join(dataDir, name), name === STORED ? reader : undefined)
  }
}

/** Nobody lists the folder of jobs or those in it; what is deeper belongs to the engines' user, and is swept. */
function closeJobs(path: string): void {
  for (const folder of [path, ...readdirSync(path).map((name) => join(path, name))]) {
    const stats = lstatSync(folder)
    if (stats.isDirectory()) set(folder, stats.mode & 0o711, undefined, stats)
  }
}

function close(path: string, reader: number | undefined): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) {
    // From the top: once a folder is closed, nobody else can put a link in the place of what lies in it.
    set(path, 0o700, undefined, stats)
    for (const name of readdirSync(path)) close(join(path, name), reader)
  } else if (stats?.isFile()) set(path, reader === undefined ? 0o600 : 0o640, reader, stats)
}

/** Sets mode and group where they differ. What belongs to another user, or to a file system without modes, stays. */
function set(path: string, mode: number, group: number | undefined, stats: Stats = lstatSync(path)): void {
  try {
    if (group !== undefined && stats.gid !== group) chownSync(path, stats.uid, group)
    // Folders keep set-group-ID: volumes of containers share a group by it.
    const special = stats.isDirectory() ? stats.mode & 0o2000 : 0
    if ((stats.mode & 0o7777) !== (special | mode)) chmodSync(path, special | mode)
  } catch (error) {
    if (!['EPERM', 'EROFS', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code!)) throw error
  }
}
