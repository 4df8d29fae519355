import { hostname, networkInterfaces } from 'node:os'
import type { Config } from '../../config/config.ts'
import { isPrivate } from '../people/owner.ts'

/** Returns a line for the operator: how to open the service to the home network, or its addresses there. */
export function homeLine({ profile, tls }: Pick<Config, 'profile' | 'tls'>, port: number): string {
  const container = isContainer()
  if (profile !== 'home')
    return `To open it to your home network: ${container ? 'set ATHANOR_PROFILE=home' : 'npm start -- --home'}`
  // A container with a network of its own does not know the addresses of its machine, nor the port that was published.
  if (container) return 'Open to your home network at the addresses of this machine'
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.filter(({ internal, family, address }) => !internal && family === 'IPv4' && isPrivate(address))
  const names = [...own.map(({ address }) => address), ...machineName()]
  const urls = names.map((name) => `${tls ? 'https' : 'http'}://${name}:${port}`)
  return `Open to your home network${urls.length ? ` at ${urls.join(', ')}` : ''}`
}

/** Whether this is a container with a host name of its own: by default, a number. */
function isContainer(): boolean {
  return /^[0-9a-f]{12}$/.test(hostname())
}

/** Returns the name by which routers know this machine. */
function machineName(): string[] {
  const name = hostname().replace(/\..*/, '').toLowerCase()
  return name === 'localhost' || !/^[a-z0-9-]+$/.test(name) ? [] : [name]
}
