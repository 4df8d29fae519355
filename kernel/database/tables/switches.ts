import type { Database } from '../database.ts'

/** What an operator can switch while the service runs. */
export interface Switches {
  maintenance: boolean
  /** Slugs of tools that are closed in addition to those in the configuration. */
  closedTools: ReadonlySet<string>
}

/** A row of the table `switches`: a switch that is on. Switches that are off have no row. */
interface SwitchRow {
  /** `maintenance`, or `closed:png-to-webp`. */
  name: string
  /** Epoch milliseconds. */
  since: number
}

/** The name of the switch for maintenance. */
export const maintenanceSwitch = 'maintenance'

const TOOL = 'closed:'

/** The name of a tool's switch. */
export const toolSwitch = (slug: string) => TOOL + slug

const switches = (database: Database) => database<SwitchRow>('switches')

/** Turns a switch on or off; it may be so already. */
export async function setSwitch(database: Database, name: string, on: boolean): Promise<void> {
  if (on) await switches(database).insert({ name, since: Date.now() }).onConflict('name').ignore()
  else await switches(database).where({ name }).delete()
}

/** Reads all switches. */
export async function readSwitches(database: Database): Promise<Switches> {
  const names = await switches(database).pluck('name')
  return {
    maintenance: names.includes(maintenanceSwitch),
    closedTools: new Set(names.filter((name) => name.startsWith(TOOL)).map((name) => name.slice(TOOL.length))),
  }
}
