import { accessSync, constants, mkdirSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { type Claim, claimFolder, unwritable } from './claim.ts'

/**
 * Creates the data folder if it is missing, and claims it for this process.
 *
 * @throws StartError that says why it cannot be used.
 */
export function openDataFolder({ dataDir, dataDirOnHost: shown }: Pick<Config, 'dataDir' | 'dataDirOnHost'>): Claim {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new StartError(`DATA_DIR: ${shown} is not a folder, or lies below a file. Set DATA_DIR to a folder.`, {
        cause,
      })
    }
    throw unwritable(shown, cause)
  }
  return claimFolder(dataDir, shown)
}
