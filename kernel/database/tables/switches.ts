import type { Database } from '../database.ts'

/** A row of the table `switches`: a switch that is on. Switches that are off have no row. */
interface SwitchRow {
  /** `maintenance`, or `closed:png-to-webp`. */
  name: string
  /** Epoch milliseconds. */
  since: number
}

const switches = (database: Database) => database<SwitchRow>('switches')

/** Returns the names of the switches that are on. */
export const listSwitches = (database: Database): Promise<string[]> => switches(database).pluck('name')

/** Turns a switch on, if it is off. */
export async function insertSwitch(database: Database, row: SwitchRow): Promise<void> {
  await switches(database).insert(row).onConflict('name').ignore()
}

export async function deleteSwitch(database: Database, name: string): Promise<void> {
  await switches(database).where({ name }).delete()
}
