import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { createClient } from './client.ts'
import { type Clouds, createClouds } from './clouds.ts'
import { createConnectStates } from './connect-states.ts'
import { createConnections } from './connections.ts'
import { openUrl, type UrlRequest } from './from-url.ts'
import { createSeal } from './seal.ts'
import type { Allowance, RemoteFile } from './source.ts'

/** Opens files on other servers. */
export interface Imports {
  /** @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED, IMPORT_FAILED, FILE_TOO_LARGE. */
  openUrl(request: UrlRequest, allowance: Allowance): Promise<RemoteFile>
  clouds: Clouds
}

/** Creates imports as configured. @param secret The service's secret, from which imports derive their keys. */
export async function createImports({
  config,
  database,
  secret,
  log,
}: {
  config: Pick<Config, 'imports'>
  database: Database
  secret: string
  log: Logger
}): Promise<Imports> {
  const client = createClient(config.imports)
  const connections = createConnections(database, createSeal(secret, 'athanor:connections'))
  return {
    openUrl: (request, allowance) => openUrl(client, request, allowance),
    clouds: await createClouds({ config, client, connections, log, states: createConnectStates(secret) }),
  }
}
