import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A user unrelated to the service. */
export const NOBODY = 65534

/** Everything below a folder; links are not followed. The service may be removing folders of ended jobs. */
export function below(path: string): string[] {
  try {
    const names = lstatSync(path).isDirectory() ? readdirSync(path) : []
    return [path, ...names.flatMap((name) => below(join(path, name)))]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

/** Paths that a user can list or read. */
export function readableBy(uid: number, paths: readonly string[]): string[] {
  const script =
    'while IFS= read -r p; do if [ -d "$p" ]; then ls "$p" && echo "$p"; else cat "$p" && echo "$p"; fi; done'
  const { stdout } = spawnSync('setpriv', [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'sh', '-c', script], {
    input: `${paths.join('\n')}\n`,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(Boolean)
}

/**
 * Files and folders that are too open. Allowed: files 0600 or, for the engines' user, 0640; folders 0700, 0710 or 0711.
 */
export const tooOpen = (paths: readonly string[]) =>
  paths
    .map((path) => ({ path, stats: lstatSync(path, { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats && (stats.mode & (stats.isDirectory() ? 0o066 : 0o137)) !== 0)
    .map(({ path, stats }) => `${path} ${(stats!.mode & 0o7777).toString(8)}`)
