import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import type { Secrets } from './secret.ts'

/** The parts of the kernel that this room works with. */
export interface PeopleNeeds {
  config: Config
  log: Logger
  database: Database
  secrets: Secrets
}
