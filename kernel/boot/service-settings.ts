import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Variables that decide what the service offers, without secrets. `--only` and `--home` count as their variables. */
const NAMES = ['CONFIG_FILE', 'ATHANOR_ONLY', 'ATHANOR_PROFILE'] as const

type Settings = Partial<Record<(typeof NAMES)[number], string>>

const fileIn = (dataDir: string) => join(dataDir, 'service.json')

/** Keeps in the data folder where the configuration comes from, for commands that are run without these variables. */
export function recordServiceSettings(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  { only, home }: { only?: string; home?: boolean },
): void {
  const given: NodeJS.ProcessEnv = {
    ...env,
    ...(only && { ATHANOR_ONLY: only }),
    ...(home && { ATHANOR_PROFILE: 'home' }),
  }
  const settings = Object.fromEntries(NAMES.filter((name) => given[name]).map((name) => [name, given[name]]))
  try {
    writeFileSync(fileIn(dataDir), JSON.stringify(settings), { mode: 0o600 })
  } catch {} // On a full disk, the file of the last start stays.
}

/** Reads where the configuration of the service comes from; nothing if there is no service or file. */
export function readServiceSettings(dataDir: string): Settings {
  try {
    const read: unknown = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    const known = Object.entries(read ?? {}).filter(([name, value]) => isName(name) && typeof value === 'string')
    return Object.fromEntries(known)
  } catch {
    return {}
  }
}

const isName = (name: string) => (NAMES as readonly string[]).includes(name)
