import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'

const ways =
  'set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES to the addresses of the proxy that terminates TLS; for a home network, ' +
  'start with --home instead'

/**
 * In production every request must arrive over TLS. That is impossible without a certificate and without a trusted
 * proxy. Loopback is no exception: most likely the operator forgot to name the machine's proxy. The home profile serves
 * plain HTTP.
 *
 * @throws StartError.
 */
export function requireWayIn({
  mode,
  profile,
  tls,
  trustedProxies,
}: Pick<Config, 'mode' | 'profile' | 'tls' | 'trustedProxies'>): void {
  if (mode !== 'production' || profile === 'home' || tls || trustedProxies.length) return
  throw new StartError(
    `In production the service accepts only HTTPS, but it has no certificate and no trusted proxy: ${ways}.`,
  )
}
