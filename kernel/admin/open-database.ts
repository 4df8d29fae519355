import type { Config } from '../../config/config.ts'
import { type Database, openExisting } from '../database/database.ts'
import { readSchema, refuseUnusable } from '../database/schema.ts'
import { StartError } from '../errors.ts'
import { printError } from '../terminal.ts'
import { loadServiceConfig } from './service-config.ts'
import { actor } from './unix-user.ts'

/** What an operator's command works with. */
export interface AdminContext {
  config: Config
  database: Database
  /** Login name of the operator; behind sudo, of the person who called it. */
  actor: string
}

/**
 * Opens the database, which a running service may use too, and closes it after the work. Names it on standard error.
 *
 * @throws StartError if no service has used it, or one of another version.
 */
export function operate<T>(work: (operation: AdminContext) => Promise<T>): Promise<T> {
  return operateOn(loadServiceConfig(process.env), refuseOtherVersion, work)
}

/** Does the same. `check` decides which databases to refuse. */
export async function operateOn<T>(
  config: Config,
  check: (database: Database) => Promise<void>,
  work: (operation: AdminContext) => Promise<T>,
): Promise<T> {
  const place = { url: config.databaseUrl, dataDir: config.dataDir }
  const shown = shownPlace(config)
  const database = await openExisting(place, async (database) => {
    if (!(await readSchema(database)).begun) throw new StartError(noService(shown))
    await check(database)
  })
  if (!database) throw new StartError(noService(shown))
  printError(`Acting on ${shown}`)
  try {
    return await work({ config, database, actor })
  } finally {
    await database.destroy()
  }
}

async function refuseOtherVersion(database: Database): Promise<void> {
  const state = await readSchema(database)
  refuseUnusable(state)
  if (state.pending.length) {
    throw new StartError(
      `An older version wrote the database (it lacks migration ${state.pending[0]}). Start the service once, ` +
        'which updates the database.',
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
  `No service has used ${shown} yet. Set DATA_DIR or DATABASE_URL to the service's value, or start the service first.`
