/** Settings of the user, stored in this browser. */
export interface Settings {
  /** Start a conversion after the upload, if the user has chosen a target for this format before. */
  startByItself: boolean
  /** Save the result if only one file is in the list. */
  saveByItself: boolean
  /** Save several results as one ZIP when all files have ended. */
  saveAllByItself: boolean
  /** The last target by source format. */
  targets: Readonly<Record<string, string>>
  /** Language of the page; undefined: the browser's. */
  language?: string
}

const SETTINGS = 'athanor.settings'
const GUEST = 'athanor.guest'
const SESSION = 'athanor.session'

const DEFAULTS: Settings = { startByItself: false, saveByItself: true, saveAllByItself: false, targets: {} }

export function loadSettings(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(read(SETTINGS) ?? '{}') }
  } catch {
    return DEFAULTS
  }
}

export const saveSettings = (settings: Settings) => write(SETTINGS, JSON.stringify(settings))

/**
 * Returns the UUID that distinguishes this browser from others at its IP address. It is lost with the browser's
 * storage.
 */
export function guestFingerprint(): string {
  const known = read(GUEST)
  if (known) return known
  // Browsers offer crypto.randomUUID only over HTTPS and on localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const made = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  write(GUEST, made)
  return made
}

/** The session token of the account that is signed in here; undefined for guests. */
export const loadSession = (): string | undefined => read(SESSION) ?? undefined

/** @param token Undefined: signed out. */
export const saveSession = (token: string | undefined) => write(SESSION, token)

/** If the browser forbids storage, nothing is remembered. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}
