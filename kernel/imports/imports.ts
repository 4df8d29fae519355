import type { PeopleNeeds } from '../people/needs.ts'
import { createOAuthStates } from '../people/oauth-states.ts'
import { createSeal } from '../people/seal.ts'
import { createClient } from './client.ts'
import { createClouds } from './clouds.ts'
import { createConnections } from './connections.ts'
import { openUrl, type UrlRequest } from './from-url.ts'
import type { Allowance } from './source.ts'

/** Opens files on other servers. */
export type Imports = Awaited<ReturnType<typeof createImports>>

/** Creates imports as configured. @param secrets The service's, from which imports derive their keys. */
export async function createImports({ config, database, secrets, log }: PeopleNeeds) {
  const client = createClient(config.imports)
  const connections = createConnections(database, createSeal(secrets, 'athanor:connections'))
  if (secrets.length > 1) await connections.reseal()
  return {
    /** @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED, IMPORT_FAILED, FILE_TOO_LARGE. */
    openUrl: (request: UrlRequest, allowance: Allowance) =>
      openUrl(client, request, allowance, config.accounts.trustedHeader?.name),
    clouds: await createClouds(config, client, connections, createOAuthStates(secrets[0], 'connect'), log),
  }
}
