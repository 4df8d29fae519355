import { hostname, networkInterfaces } from 'node:os'
import type { Config } from '../../config/config.ts'
import { isPrivate } from '../accounts/networks.ts'

/** Returns a line for the operator: how to open the service to the home network, or its addresses there. */
export function homeLine({ profile, tls }: Pick<Config, 'profile' | 'tls'>, port: number): string {
  if (profile !== 'home') return 'To open it to your home network: npm start -- --home'
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.filter(({ internal, family, address }) => !internal && family === 'IPv4' && isPrivate(address))
  const names = [...own.map(({ address }) => address), ...machineName()]
  const urls = names.map((name) => `${tls ? 'https' : 'http'}://${name}:${port}`)
  return `Open to your home network${urls.length ? ` at ${urls.join(', ')}` : ''}`
}

/** Returns the name by which routers know this machine. A container has only a number, which nobody resolves. */
function machineName(): string[] {
  const name = hostname().split('.')[0]!.toLowerCase()
  return name === 'localhost' || /^[0-9a-f]{12}$/.test(name) || !/^[a-z0-9-]+$/.test(name) ? [] : [name]
}
