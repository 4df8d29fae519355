import { parse } from 'content-disposition'
import type { Incoming } from './client.ts'

/**
 * Returns the name of a downloaded file: from Content-Disposition (RFC 6266), else the last segment of the path. Empty
 * if neither has a name. Do not trust it: the server may send any text.
 */
export function fileNameOf({ url, headers }: Pick<Incoming, 'url' | 'headers'>): string {
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
