/** Creates the system user that engines run as if root starts the service. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Creates the user if it is missing, without home and login. */
export function ensureUser(name) {
  if (new RegExp(`^${name}:`, 'm').test(readFileSync('/etc/passwd', 'utf8'))) return
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  try {
    execFileSync('useradd', [...args, '--shell', '/usr/sbin/nologin', name], { stdio: 'pipe' })
    console.log(`Created the system user ${name}, which runs the engines.`)
  } catch (error) {
    console.warn(`The system user ${name} could not be created: ${error.stderr?.toString().trim() || error.message}`)
  }
}

/** Lets that user read the files of the engines, in case the checkout was made with a umask such as 077. */
export function letEnginesBeRead(root) {
  const read = 0o004
  const parts = ['package.json', 'engines', 'plugins', 'node_modules'].map((name) => join(root, name))
  // In a container image, setup runs before the sources are copied.
  const closed = parts.filter((part) => existsSync(part) && (statSync(part).mode & read) === 0)
  if (closed.length > 0) execFileSync('chmod', ['-R', 'o+rX', ...closed])
}
