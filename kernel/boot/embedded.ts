import { readdirSync, rmSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'

/** The only file that the folder may have at the start: what engines answered in an earlier one. */
const GIVEN = 'probes.json'

/**
 * Ties this process to the program that started it and holds its standard input open: when that ends, in whatever way,
 * the service stops and removes its data folder.
 *
 * @throws StartError if the folder has files of another service, which would be lost.
 */
export function endWithStarter({ dataDir, dataDirOnHost }: Pick<Config, 'dataDir' | 'dataDirOnHost'>): void {
  if (readdirSync(dataDir).some((name) => name !== GIVEN)) {
    throw new StartError(`DATA_DIR: ${dataDirOnHost} is not empty, and --embedded would remove it. Set another folder.`)
  }
  process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'))
  process.once('exit', () => rmSync(dataDirOnHost, { recursive: true, force: true }))
}
