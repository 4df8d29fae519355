import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ServiceError } from '../errors.ts'
import { createGate, type Gate } from './addresses.ts'
import { importFailed } from './failures.ts'
import { forRedirect, OWN_HEADERS } from './outgoing-headers.ts'
import { createLookup } from './resolve.ts'
import { requireTarget } from './target.ts'

/** Redirects that one request may take. */
const REDIRECTS = 5

/** Bytes of a response's headers. */
const HEADERS = 16 * 1024

/** A request to a server of somebody else. */
export interface Outgoing {
  /** Default GET. */
  method?: string
  /** Sent to the first origin; to another one only what tells nothing (`forRedirect`). */
  headers?: Readonly<Record<string, string>>
  body?: string
  /** How many redirects are followed; above it the request fails. Default 5. */
  redirects?: number
  /** What refusals call the URL. Default `url`. */
  field?: string
  signal: AbortSignal
}

/** The answer's head, and its body, which must be read or destroyed. */
export interface Incoming {
  /** Where the answer came from, after redirects. */
  url: URL
  status: number
  headers: IncomingHttpHeaders
  body: IncomingMessage
}

/** The one way by which imports reach the world. */
export interface Client {
  /** What it connects to. */
  gate: Gate
  /** @throws ServiceError URL_NOT_ALLOWED, IMPORT_FAILED. */
  send(url: URL, outgoing: Outgoing): Promise<Incoming>
}

/**
 * An HTTP client that connects only to public addresses, at every hop, and to the addresses that it has checked. It
 * uses no proxy, whatever the environment says: a proxy would resolve names by itself.
 */
export function createClient({
  allowNetworks,
  nameServers,
}: {
  allowNetworks: readonly string[]
  nameServers: readonly string[]
}): Client {
  const gate = createGate(allowNetworks)
  const lookupFor = createLookup(gate, nameServers)

  function exchange(url: URL, { method, headers, body, field = 'url', signal }: Outgoing): Promise<Incoming> {
    requireTarget(url, gate, field)
    const { promise, resolve, reject } = Promise.withResolvers<Incoming>()
    const secure = url.protocol === 'https:'
    const request: ClientRequest = (secure ? requestHttps : requestHttp)(url, {
      ...{ method, headers: { ...OWN_HEADERS, ...headers }, signal, lookup: lookupFor(field) },
      ...{ agent: false, maxHeaderSize: HEADERS, insecureHTTPParser: false, joinDuplicateHeaders: false },
      ...(secure && { rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
    })
    request.on('error', (error) => reject(signal.aborted ? signal.reason : asServiceError(error)))
    request.once('response', (answer) => {
      // Whoever reads it hears of its end; until then nobody may.
      answer.on('error', () => {})
      resolve({ url, status: answer.statusCode!, headers: answer.headers, body: answer })
    })
    request.end(body)
    return promise
  }

  return {
    gate,
    async send(first, outgoing) {
      const redirects = outgoing.redirects ?? REDIRECTS
      let url = first
      let { method = 'GET', headers, body } = outgoing
      for (let hop = 0; ; hop++) {
        const incoming = await exchange(url, { ...outgoing, method, headers, body })
        const next = redirectOf(incoming)
        if (!next || redirects === 0) return incoming
        incoming.body.destroy()
        if (hop === redirects) throw importFailed(`The server redirected more than ${redirects} times`)
        // RFC 9110 §15.4: after these a client asks for another thing, whatever it had sent.
        if (incoming.status === 303) [method, body] = ['GET', undefined]
        if (next.origin !== url.origin) [headers, body] = [forRedirect(headers), undefined]
        url = next
      }
    },
  }
}

function redirectOf({ status, headers, url }: Incoming): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, url.href)) throw importFailed('The server redirected to what is no URL')
  return new URL(location, url)
}

/** Codes by which OpenSSL says that a certificate does not do (verify(1ssl)), and Node that it is another name's. */
const CERTIFICATE = /CERT|SELF_SIGNED|ISSUER|ALTNAME|CRL/

function asServiceError(error: NodeJS.ErrnoException): ServiceError {
  if (error instanceof ServiceError) return error
  if (CERTIFICATE.test(error.code ?? '')) return importFailed("The server's certificate is not valid", error)
  return importFailed('The server could not be reached, or does not speak HTTP', error)
}
