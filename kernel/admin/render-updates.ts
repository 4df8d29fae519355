import type { Updates } from '../../config/setup/updates.ts'

/** Number of named packages; --json has all. */
const NAMED = 12

/** Renders the packages to upgrade. A missing or old list never means "nothing to upgrade". */
export function renderUpdates({ lists, compared, security, other }: Updates, now = Date.now()): string[] {
  if (lists.state === 'absent') {
    const why = 'this machine has no package list of the Debian security archive; run apt-get update'
    return [`Security       UNKNOWN: ${why}`]
  }
  if (compared === 0) return ['Security       UNKNOWN: apt knows none of the packages that contain the engines']
  const age = `list of ${lists.published.slice(0, 10)}, fetched ${ago(now - Date.parse(lists.fetched))}`
  const stale = lists.state === 'stale' ? [`UNKNOWN: the ${age}, expired on ${lists.validUntil.slice(0, 10)}`] : []
  const found = `${security.length} of ${compared} packages that engines load have a security update`
  return [
    `Security       ${[...stale, stale.length > 0 ? `even so, ${found}` : `${found} (${age})`].join('; ')}`,
    ...security.slice(0, NAMED).map((update) => `  ${update.package} ${update.installed} → ${update.offered}`),
    ...(security.length > NAMED ? [`  and ${security.length - NAMED} more (--json lists them)`] : []),
    ...(other.length > 0
      ? [`  ${other.length} more have a newer version in a point release, which can contain older fixes`]
      : []),
    ...(stale.length > 0 || security.length + other.length > 0
      ? ['  To upgrade: apt-get update && apt-get upgrade. In a container: rebuild the image from a fresh base']
      : []),
  ]
}

function ago(milliseconds: number): string {
  const hours = Math.max(0, Math.floor(milliseconds / 3_600_000))
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}
