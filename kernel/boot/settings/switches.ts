import type { Database } from '../../database/database.ts'
import { deleteSwitch, insertSwitch, listSwitches } from '../../database/tables/switches.ts'

/** What an operator can switch while the service runs. */
export interface Switches {
  maintenance: boolean
  /** Slugs of tools that are closed in addition to those in the configuration. */
  closedTools: ReadonlySet<string>
}

const MAINTENANCE = 'maintenance'
const TOOL = 'closed:'

/** The name of a tool's switch. */
export const toolSwitch = (slug: string) => TOOL + slug
/** The name of the switch for maintenance. */
export const maintenanceSwitch = MAINTENANCE

/** Turns a switch on or off; it may be so already. */
export async function setSwitch(database: Database, name: string, on: boolean): Promise<void> {
  if (on) await insertSwitch(database, { name, since: Date.now() })
  else await deleteSwitch(database, name)
}

/** Reads all switches. */
export async function readSwitches(database: Database): Promise<Switches> {
  const names = await listSwitches(database)
  return {
    maintenance: names.includes(MAINTENANCE),
    closedTools: new Set(names.filter((name) => name.startsWith(TOOL)).map((name) => name.slice(TOOL.length))),
  }
}
