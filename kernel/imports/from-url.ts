import type { Client } from './client.ts'
import { unexpectedStatus } from './failures.ts'
import { fileNameOf } from './file-name.ts'
import { checkHeaders } from './outgoing-headers.ts'
import { type Allowance, asSource, type RemoteFile } from './source.ts'
import { readTarget } from './target.ts'

/** The body of `POST /api/import/url`. Its types are already checked, except for the values in `headers`. */
export interface UrlRequest {
  url: string
  fileName?: string
  headers?: Record<string, unknown>
}

/**
 * Opens the file at a URL.
 *
 * @param vouching The header by which a proxy vouches for people, which a request to this service could forge.
 * @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED, IMPORT_FAILED, FILE_TOO_LARGE.
 */
export async function openUrl(
  client: Client,
  request: UrlRequest,
  allowance: Allowance,
  vouching: string | undefined,
): Promise<RemoteFile> {
  const url = readTarget(request.url, client.gate, 'url')
  const headers = checkHeaders(request.headers ?? {}, vouching)
  const incoming = await client.send(url, { headers, signal: allowance.signal })
  if (incoming.status !== 200) {
    incoming.body.destroy()
    throw unexpectedStatus(incoming.status)
  }
  return asSource(incoming, request.fileName || fileNameOf(incoming), allowance)
}
