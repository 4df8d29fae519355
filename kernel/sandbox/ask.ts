import type { Profile } from '../contract.ts'
import type { Launcher } from './process/launch.ts'
import { endWithin, TRIAL_TIMEOUT_MS } from './process/process.ts'

/**
 * Runs a program as engines run: not as root, with its own home and working folder. Resolves to its output and its exit
 * code, which is undefined if it did not start. `late` is true if it was killed after `TRIAL_TIMEOUT_MS`. Never rejects
 * because the program fails.
 */
export type Ask = (
  program: string,
  args: readonly string[],
  profile?: Profile,
) => Promise<{ code: number | undefined; late: boolean; output: string }>

/** Maximum bytes of its output that are kept. */
const MAX_OUTPUT = 1024 ** 2

/**
 * Creates the function that runs programs of the machine outside of a job: as the engines' user, in a sandbox. Home and
 * working folder are new and empty, because Python and other programs run code that they find there.
 *
 * @param withFolder Passes a job folder to `work` and discards it afterwards.
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
        if (size <= MAX_OUTPUT) chunks.push(chunk)
      })
      const { code, late } = await endWithin(running, TRIAL_TIMEOUT_MS)
      return { code, late, output: Buffer.concat(chunks).toString('utf8').trimEnd() }
    })
}
