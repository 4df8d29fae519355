import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { type Database, openExisting } from '../database/database.ts'
import { createLookUp, type LookUp } from '../database/look-up.ts'
import { readSchema, refuseForeign } from '../database/schema-state.ts'
import { StartError } from '../errors.ts'
import { actor, becomeOwner } from './owner.ts'

/** What an operator's command works with. */
export interface AdminContext {
  config: Config
  database: Database
  lookUp: LookUp
  /** Who gives the command: the login name, of the person behind sudo where there is one. */
  actor: string
}

/**
 * Opens what the running service has open too, and closes it after the work. Says on standard error what it acts on.
 *
 * @throws StartError where no service has lived, or one of another version.
 */
export function operate<T>(work: (operation: AdminContext) => Promise<T>): Promise<T> {
  return operateOn(loadConfig({ env: process.env, argv: [] }), refuseOtherVersion, work)
}

/** The same, where `look` decides which databases are refused. */
export async function operateOn<T>(
  config: Config,
  look: (database: Database) => Promise<void>,
  work: (operation: AdminContext) => Promise<T>,
): Promise<T> {
  const place = { url: config.databaseUrl, dataDir: config.dataDir }
  const shown = shownPlace(config)
  becomeOwner(config.dataDir)
  const database = await openExisting(place, async (database) => {
    if ((await readSchema(database)).applied.length === 0) throw new StartError(noService(shown))
    await look(database)
  })
  if (!database) throw new StartError(noService(shown))
  console.error(`Acting on ${shown}`)
  const lookUp = createLookUp(database, place)
  try {
    return await work({ config, database, lookUp, actor })
  } finally {
    lookUp.close()
    await database.destroy()
  }
}

async function refuseOtherVersion(database: Database): Promise<void> {
  const state = await readSchema(database)
  refuseForeign(state)
  if (state.pending.length) {
    throw new StartError(
      `The database was made by an older version (it lacks migration ${state.pending[0]}). Start the service once: ` +
        'that brings the database up to date.',
    )
  }
}

/** The data folder, or the database on a server without its credentials. */
function shownPlace({ databaseUrl, dataDirOnHost }: Config): string {
  if (!databaseUrl) return `the data folder ${dataDirOnHost}`
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${decodeURIComponent(pathname.slice(1))} on ${host}`
}

const noService = (shown: string) =>
  `No service has used ${shown} yet. Set DATA_DIR, or DATABASE_URL, as the service has it, or start the service first.`
