import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { checkAddress } from './address.ts'
import type { Claim } from './claim.ts'
import { openDataFolder } from './data-folder.ts'
import { requireWayIn } from './https.ts'
import { readCertificate } from './tls.ts'

/**
 * Runs all checks that need no probe of the engines, so that a start that cannot succeed ends within a second. The data
 * folder comes before the port, so that a second service on the same folder gets a message about the first one.
 *
 * @throws StartError.
 */
export async function checkStart(config: Config): Promise<Claim> {
  requireWayIn(config)
  if (config.tls) readCertificate(config.tls)
  const claim = openDataFolder(config)
  if (config.socket === undefined) await checkAddress(config)
  const { host, port } = config.metrics
  if (port !== null && port !== 0 && port === config.port) {
    throw new StartError(`metrics.port: ${port} is the service's own port; set it to another one.`)
  }
  if (port !== null) await checkAddress({ host, port, settings: { host: 'metrics.host', port: 'metrics.port' } })
  return claim
}
