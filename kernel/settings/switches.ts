import type { Database } from '../database/database.ts'
import { deleteSwitch, insertSwitch, listSwitches } from '../database/tables/switches.ts'

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

/** Turns a switch on or off; it may be so already. */
export async function setSwitch(database: Database, name: string, on: boolean): Promise<void> {
  if (on) await insertSwitch(database, { name, since: Date.now() })
  else await deleteSwitch(database, name)
}

/** The switches as they are. */
export async function readSwitches(database: Database): Promise<Switches> {
  const names = await listSwitches(database)
  return {
    maintenance: names.includes(MAINTENANCE),
    closedTools: new Set(names.filter((name) => name.startsWith(TOOL)).map((name) => name.slice(TOOL.length))),
  }
}
