import type { Profile } from '../contract.ts'
import type { Launcher } from './launch.ts'

/**
 * Runs a program as engines run: not as root, in a home and a working folder of its own. Resolves to what it printed,
 * and to its exit code, undefined when it did not start; `late` when it had to be ended. Never rejects for a program.
 */
export type Ask = (
  program: string,
  args: readonly string[],
  profile?: Profile,
) => Promise<{ code: number | undefined; late: boolean; output: string }>

/** Milliseconds that a program may take to answer, and bytes of its answer that are kept. */
const PATIENCE = 30_000
const MOST = 1024 ** 2

/**
 * Makes what runs programs of the machine without a job: as the engines' user, in a sandbox with a home and a working
 * folder that are new and empty. Python and others run code that they find in either.
 *
 * @param withFolder Hands a job folder to the work and discards it afterwards.
 */
export function createAsk(
  launcher: Launcher,
  withFolder: <T>(work: (folder: string) => Promise<T>) => Promise<T>,
): Ask {
  return (program, args, profile) =>
    withFolder(async (folder) => {
      const running = launcher.start({ program, args, profile, folder })
      const chunks: Buffer[] = []
      let size = 0
      running.read((chunk) => {
        size += chunk.length
        if (size <= MOST) chunks.push(chunk)
      })
      let late = false
      const timer = setTimeout(() => {
        late = true
        running.kill()
      }, PATIENCE)
      const { code } = await running.ended
      clearTimeout(timer)
      return { code, late, output: Buffer.concat(chunks).toString('utf8').trimEnd() }
    })
}
