import { access, chmod, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Ask } from '../sandbox/ask.ts'
import { createSandboxes } from '../sandbox/sandbox.ts'

/** Sandboxes beside those of a running service, whose folders are its own. */
export interface Trial extends AsyncDisposable {
  /** What is wrong with the isolation that the configuration asks for; undefined when it holds. */
  fault: string | undefined
  /** Where the isolation does not work, by the weaker one of `sandbox: none`: never as root. */
  ask: Ask
  /** The data folder, or where there is none yet the trial's own: what engines answered is kept there. */
  cache: string
}

/** Prepares sandboxes in a folder of their own: in the data folder, or where the service has not made one, elsewhere. */
export async function openTrial(config: Config): Promise<Trial> {
  const isOurs = await access(config.dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  const dataDir = await mkdtemp(join(isOurs ? config.dataDir : tmpdir(), 'doctor-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  const create = (sandbox: Config['sandbox']) => createSandboxes({ ...config, dataDir, sandbox }, createLog('silent'))
  let fault: string | undefined
  try {
    // The user that engines run as passes through it.
    await chmod(dataDir, 0o711)
    const sandboxes = await create(config.sandbox).catch((error) => {
      if (!(error instanceof StartError)) throw error
      fault = error.message
      return create('none')
    })
    return {
      fault,
      ask: sandboxes.ask,
      cache: isOurs ? config.dataDir : dataDir,
      async [Symbol.asyncDispose]() {
        await sandboxes.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
