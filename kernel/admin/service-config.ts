import { join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { readServiceSettings } from '../boot/service-settings.ts'
import { becomeOwner } from './unix-user.ts'

/**
 * Loads the configuration of the service that uses the data folder. Variables of the command come first; those that it
 * lacks are as the service had them at its last start.
 *
 * @throws StartError for an invalid configuration.
 */
export function loadServiceConfig(env: NodeJS.ProcessEnv): Config {
  const dataDir = resolve(env.DATA_DIR || join(import.meta.dirname, '..', '..', 'data'))
  // The service names a file that its own user can read.
  becomeOwner(dataDir)
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  return loadConfig({ env: { ...readServiceSettings(dataDir), ...given }, argv: [] })
}
