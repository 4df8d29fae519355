import type { PeopleParts } from '../people/people-parts.ts'
import { createSeal } from '../people/seal.ts'
import { createClient } from './client.ts'
import { type Clouds, createClouds } from './clouds.ts'
import { createConnectStates } from './connect-states.ts'
import { createConnections } from './connections.ts'
import { openUrl, type UrlRequest } from './from-url.ts'
import type { Allowance, RemoteFile } from './source.ts'

/** Opens files on other servers. */
export interface Imports {
  /** @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED, IMPORT_FAILED, FILE_TOO_LARGE. */
  openUrl(request: UrlRequest, allowance: Allowance): Promise<RemoteFile>
  clouds: Clouds
}

/** Creates imports as configured. @param secrets The service's, from which imports derive their keys. */
export async function createImports({ config, database, secrets, log }: PeopleParts): Promise<Imports> {
  const client = createClient(config.imports)
  const connections = createConnections(database, createSeal(secrets, 'athanor:connections'))
  if (secrets.length > 1) await connections.reseal()
  return {
    openUrl: (request, allowance) => openUrl(client, request, allowance, config.accounts.trustedHeader?.name),
    clouds: await createClouds(config, client, connections, createConnectStates(secrets[0]), log),
  }
}
