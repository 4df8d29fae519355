/** What a person chose, kept in this browser. */
export interface Settings {
  /** Starts a conversion as soon as the file is uploaded and its target was chosen once before. */
  startByItself: boolean
  /** Saves the result when only one file is in the list. */
  saveByItself: boolean
  /** The last target by source format. */
  targets: Readonly<Record<string, string>>
  /** A language of the page; unset: the browser's. */
  language?: string
}

const [SETTINGS, GUEST] = ['athanor.settings', 'athanor.guest']

const DEFAULTS: Settings = { startByItself: false, saveByItself: true, targets: {} }

export function loadSettings(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(read(SETTINGS) ?? '{}') }
  } catch {
    return DEFAULTS
  }
}

export const saveSettings = (settings: Settings) => write(SETTINGS, JSON.stringify(settings))

/** The UUID by which the service tells this browser from others of its address. Lost with the browser's storage. */
export function guestFingerprint(): string {
  const known = read(GUEST)
  if (known) return known
  // There is no crypto.randomUUID on plain HTTP at a name that is not localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const made = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  write(GUEST, made)
  return made
}

/** Browsers may forbid storage: then nothing is remembered. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {}
}
