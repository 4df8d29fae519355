import { execFile } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Unpacks a program from its Debian package into a folder, and returns its path. An installed server would start with
 * the machine, and take port 80.
 *
 * @param program Such as `usr/bin/caddy`.
 */
export async function unpacked(name: string, program: string, folder: string): Promise<string> {
  await run('apt-get', ['download', name], { cwd: folder })
  const [file] = await Array.fromAsync(glob(`${name}_*.deb`, { cwd: folder }))
  await run('dpkg', ['--extract', file!, name], { cwd: folder })
  return join(folder, name, program)
}
