import { networkInterfaces } from 'node:os'
import type { Config } from '../../config/config.ts'
import { isPrivate } from '../accounts/networks.ts'

/** Returns a line for the operator: how to open the service to the home network, or its addresses there. */
export function homeLine({ profile, tls }: Pick<Config, 'profile' | 'tls'>, port: number): string {
  if (profile !== 'home') return 'To open it to your home network: npm start -- --home'
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.filter(({ internal, family, address }) => !internal && family === 'IPv4' && isPrivate(address))
  const urls = own.map(({ address }) => `${tls ? 'https' : 'http'}://${address}:${port}`)
  return `Open to your home network${urls.length ? ` at ${urls.join(', ')}` : ''}`
}
