import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { isDuplicate } from '../database/duplicate.ts'

/** What an operator switches while the service runs. */
export interface Switches {
  maintenance: boolean
  /** Slugs of the tools that are closed, beyond those of the configuration. */
  closedTools: ReadonlySet<string>
}

const MAINTENANCE = 'maintenance'
const TOOL = 'closed:'

/** The switch of a tool. */
export const toolSwitch = (slug: string) => TOOL + slug
/** The switch of maintenance. */
export const maintenanceSwitch = MAINTENANCE

/** Sets a switch or takes it back, as often as one likes. */
export async function setSwitch(database: Knex, name: string, on: boolean): Promise<void> {
  if (!on) await database('switches').where({ name }).delete()
  else if (!(await database('switches').where({ name }).first())) {
    await database('switches')
      .insert({ name, since: Date.now() })
      .catch((error) => {
        if (!isDuplicate(error)) throw error
      })
  }
}

/** The switches as they are. */
export async function readSwitches(database: Database): Promise<Switches> {
  const names: string[] = await database('switches').pluck('name')
  return {
    maintenance: names.includes(MAINTENANCE),
    closedTools: new Set(names.filter((name) => name.startsWith(TOOL)).map((name) => name.slice(TOOL.length))),
  }
}
