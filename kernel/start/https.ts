import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'

const ways =
  'set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES to the addresses of the proxy that ends TLS; for a home network start ' +
  'it with --home instead'

/**
 * In production every request must arrive over TLS: without a certificate and without a proxy to believe, none does. Who
 * binds the service to loopback has kept others out on purpose, and is only warned. Returns the warning.
 *
 * @throws StartError.
 */
export function requireWayIn({
  mode,
  tls,
  trustedProxies,
  host,
}: Pick<Config, 'mode' | 'tls' | 'trustedProxies' | 'host'>): string | undefined {
  if (mode !== 'production' || tls || trustedProxies.length) return undefined
  if (/^(127\.[\d.]+|::1|localhost)$/.test(host)) return `Every request will get 426 HTTPS_REQUIRED: ${ways}.`
  throw new StartError(`In production the service answers HTTPS only, and nothing brings it any: ${ways}.`)
}
