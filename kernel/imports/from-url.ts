import { parse } from 'content-disposition'
import type { Client, Incoming } from './client.ts'
import { importFailed } from './failures.ts'
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
    throw importFailed(`The server answered ${incoming.status}, not 200`)
  }
  return asSource(incoming, request.fileName || fileNameOf(incoming), allowance)
}

/**
 * Returns the name of a downloaded file: from Content-Disposition (RFC 6266), else the last segment of the path. Empty
 * if neither has a name. Do not trust it: the server may send any text.
 */
function fileNameOf({ url, headers }: Pick<Incoming, 'url' | 'headers'>): string {
  return fromDisposition(headers['content-disposition']) || fromPath(url)
}

function fromDisposition(header: string | undefined): string | undefined {
  if (!header) return undefined
  try {
    // Node reads headers as Latin-1; many servers send raw UTF-8.
    const utf8 = Buffer.from(header, 'latin1').toString('utf8')
    return parse(utf8.includes('\ufffd') ? header : utf8).parameters.filename
  } catch {
    return undefined
  }
}

function fromPath({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
