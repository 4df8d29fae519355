import { isIP } from 'node:net'

/**
 * Whether browsers may count two hosts as one site, so that pages of one can reach cookies or storage of the other.
 * Without the list of public suffixes, hosts count as one site if they share their last two labels. So it can say yes
 * wrongly, as for two owners below `co.uk`, but not no: shorter public suffixes have one label.
 *
 * @param one Host name or address as in `URL.hostname`.
 */
export function isSameSite(one: string, other: string): boolean {
  const first = bare(one)
  const second = bare(other)
  if (first === second) return true
  if (isIP(first) || isIP(second)) return false
  const isBelow = `.${first}`.endsWith(`.${second}`) || `.${second}`.endsWith(`.${first}`)
  return isBelow || (first.includes('.') && endOf(first) === endOf(second))
}

const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const endOf = (host: string) => host.split('.').slice(-2).join('.')
