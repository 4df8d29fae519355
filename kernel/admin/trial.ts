import { access, chmod, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Ask } from '../sandbox/ask.ts'
import { createSandboxes } from '../sandbox/sandboxes.ts'

/** Sandboxes apart from those of a running service. */
interface Trial extends AsyncDisposable {
  /** What is wrong with the configured isolation; undefined: it works. */
  fault: string | undefined
  /** If the isolation does not work, uses the weaker one of `sandbox: none`, but never as root. */
  ask: Ask
  /** Where answers of engines are kept: the data folder, or the trial's own if there is none yet. */
  cache: string
}

/** Prepares sandboxes in their own folder: in the data folder, or elsewhere if there is none yet. */
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
    // The engines' user must be able to enter it.
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
