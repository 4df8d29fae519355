import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createChunkCount, MIN_MEAN_CHUNK } from '../chunk-count.ts'
import { ServiceError } from '../errors.ts'
import { createGate } from './addresses.ts'
import { importFailed } from './failures.ts'
import { forRedirect, OWN_HEADERS } from './outgoing-headers.ts'
import { createLookup } from './resolve.ts'
import { requireTarget } from './target.ts'

/** Default maximum of redirects for one request. */
const REDIRECTS = 5

/** Maximum bytes of a response's headers. */
const HEADERS = 16 * 1024

/** A request to an external server. */
export interface Outgoing {
  /** Default GET. */
  method?: string
  /** Sent to the first origin. Only safe headers follow cross-origin redirects (`forRedirect`). */
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Maximum number of redirects; the request fails above it. 0 returns the redirect itself. Default 5. */
  redirects?: number
  /** Name of the URL in error messages. Default `url`. */
  field?: string
  signal: AbortSignal
}

/** A response. Its body must be read or destroyed. */
export interface Incoming {
  /** The final URL, after redirects. */
  url: URL
  status: number
  headers: IncomingHttpHeaders
  body: IncomingMessage
}

/** The only HTTP client of imports and webhooks. */
export type Client = ReturnType<typeof createClient>

/**
 * Creates an HTTP client that connects only to public addresses, at every hop, and only to those that it has checked.
 * It ignores proxies that the environment sets: a proxy would resolve names itself.
 */
export function createClient({
  allowNetworks,
  nameServers,
}: {
  allowNetworks: readonly string[]
  nameServers: readonly string[]
}) {
  /** Decides which addresses the client may connect to. */
  const gate = createGate(allowNetworks)
  const lookupFor = createLookup(gate, nameServers)

  function exchange(url: URL, { method, headers, body, field = 'url', signal }: Outgoing): Promise<Incoming> {
    requireTarget(url, gate, field)
    const { promise, resolve, reject } = Promise.withResolvers<Incoming>()
    const secure = url.protocol === 'https:'
    const request: ClientRequest = (secure ? requestHttps : requestHttp)(url, {
      method,
      headers: { ...OWN_HEADERS, ...headers },
      signal,
      lookup: lookupFor(field),
      agent: false,
      maxHeaderSize: HEADERS,
      insecureHTTPParser: false,
      joinDuplicateHeaders: false,
      ...(secure && { rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
    })
    request.on('error', (error) => reject(signal.aborted ? signal.reason : asServiceError(error)))
    refuseSmallPieces(request)
    request.once('response', (answer) => {
      // An unhandled error would end the process if nobody reads the body yet. Readers still get the error.
      answer.on('error', () => {})
      resolve({ url, status: answer.statusCode ?? 0, headers: answer.headers, body: answer })
    })
    request.end(body)
    return promise
  }

  return {
    gate,
    /** @throws ServiceError URL_NOT_ALLOWED, IMPORT_FAILED. */
    async send(first: URL, outgoing: Outgoing) {
      const redirects = outgoing.redirects ?? REDIRECTS
      let url = first
      let { method = 'GET', headers, body } = outgoing
      for (let hop = 0; ; hop++) {
        const incoming = await exchange(url, { ...outgoing, method, headers, body })
        const next = redirectOf(incoming)
        if (!next || redirects === 0) return incoming
        incoming.body.destroy()
        if (hop === redirects) throw importFailed(`The server redirected more than ${redirects} times`)
        // RFC 9110 §15.4.4: 303 points to another resource, which the client gets without repeating the body.
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
  if (!URL.canParse(location, url.href)) throw importFailed('The server redirected to an invalid URL')
  return new URL(location, url)
}

/** Error codes of OpenSSL for an invalid certificate (verify(1ssl)), and of Node for one with another host name. */
const CERTIFICATE = /CERT|SELF_SIGNED|ISSUER|ALTNAME|CRL/

function asServiceError(error: NodeJS.ErrnoException): ServiceError {
  if (error instanceof ServiceError) return error
  if (CERTIFICATE.test(error.code ?? '')) return importFailed("The server's certificate is not valid", error)
  return importFailed('The server could not be reached, or does not speak HTTP', error)
}

/** Maximum number of informational responses (RFC 9110 §15.2) before the answer. */
const MAX_INFORMATIONAL = 20

/**
 * Ends answers that arrive in absurdly small pieces, or behind many informational responses, each of which costs as
 * much as a piece.
 */
function refuseSmallPieces(request: ClientRequest): void {
  let informational = 0
  request.on('information', () => {
    if (++informational > MAX_INFORMATIONAL) request.destroy(importFailed('The server sent no answer'))
  })
  request.once('response', (answer: IncomingMessage) => {
    const isTooSmall = createChunkCount()
    const push = answer.push.bind(answer)
    // Counts what the parser passes on, whoever reads it.
    answer.push = (chunk: Buffer | null) => {
      if (answer.destroyed) return false
      if (chunk && isTooSmall(chunk.length)) {
        answer.destroy(importFailed(`The server sent chunks of less than ${MIN_MEAN_CHUNK} bytes on average`))
        return false
      }
      return push(chunk)
    }
  })
}
