import type { Config } from '../../config/config.ts'
import { createClient } from './client.ts'
import { openUrl, type UrlRequest } from './from-url.ts'
import type { Allowance, Source } from './source.ts'

/** Files of other servers, opened for whoever may have them. */
export interface Imports {
  /** @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED, IMPORT_FAILED, FILE_TOO_LARGE. */
  openUrl(request: UrlRequest, allowance: Allowance): Promise<Source>
}

/** Imports as the configuration allows them. */
export function createImports({ config }: { config: Pick<Config, 'imports'> }): Imports {
  const client = createClient(config.imports)
  return {
    openUrl: (request, allowance) => openUrl(client, request, allowance),
  }
}
