import { start } from './process.ts'
import { TRIAL_TIME } from './trial-time.ts'
import type { EngineUser } from './user.ts'

/** Options of bwrap that give a sandbox a host name of its own. */
const NAME = ['--hostname', 'sandbox']

/**
 * Resolves to the options of bwrap that hide the machine's host name, or to none where that is forbidden: Podman allows
 * new namespaces, but not to set their host name. In a container, programs then see the container's.
 */
export async function hostnameOptions(user: EngineUser | undefined): Promise<readonly string[]> {
  const said: string[] = []
  const trial = ['--unshare-user', '--unshare-uts', ...NAME, '--ro-bind', '/', '/', '/usr/bin/true']
  const running = start('/usr/bin/bwrap', trial, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'], ...user })
  running.listen((line) => said.push(line))
  const timer = setTimeout(running.kill, TRIAL_TIME)
  await running.ended
  clearTimeout(timer)
  return said.some((line) => line.includes("Can't set hostname")) ? [] : NAME
}
