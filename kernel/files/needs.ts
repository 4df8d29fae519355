import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../database/database.ts'
import type { Recognise } from '../detection/recognise.ts'
import type { Changes } from '../events/changes.ts'
import type { StoredBytes } from '../people/stored-bytes.ts'
import type { Storage } from './storage/storage.ts'

/** The parts of the kernel that this room works with. */
export interface FileNeeds {
  config: Config
  log: Logger
  database: Database
  storage: Storage
  /** What the service offers. */
  catalogue: Catalogue
  recognise: Recognise
  storedBytes: StoredBytes
  changes: Changes
}
