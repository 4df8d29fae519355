import { userInfo } from 'node:os'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createLookUp, type LookUp } from '../database/look-up.ts'

/** What an operator's command works with. */
export interface Operation {
  config: Config
  database: Database
  lookUp: LookUp
  /** Who gives the command: the login name, of the person behind sudo where there is one. */
  actor: string
}

/** Opens what the running service has open too, and closes it after the work. @throws StartError. */
export async function operate<T>(work: (operation: Operation) => Promise<T>): Promise<T> {
  const config = loadConfig({ env: process.env, argv: [] })
  const place = { url: config.databaseUrl, dataDir: config.dataDir }
  const database = await openDatabase(place)
  const lookUp = createLookUp(database, place)
  try {
    return await work({ config, database, lookUp, actor: process.env.SUDO_USER || userInfo().username })
  } finally {
    lookUp.close()
    await database.destroy()
  }
}
