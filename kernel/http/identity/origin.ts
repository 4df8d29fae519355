import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { createRanges } from '../../imports/addresses.ts'
import type { Middleware } from '../context.ts'

/** Headers in which proxies name the client, by RFC 7239 and from before it. */
const NAMING = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
]

/** All headers that proxies add. */
const FORWARDING = [...NAMING, 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-server']

const UNTRUSTED =
  'a peer that is not trusted sends X-Forwarded headers: if it is your proxy, set TRUSTED_PROXIES to its address; until then all of its clients share one quota'

const FORGED =
  'a peer that is not trusted sends the header of accounts.trustedHeader, which is ignored: if it is your proxy, add its address to TRUSTED_PROXIES'

/** A DNS name or an address, with or without a port (RFC 9110 §7.2). It cannot leave the host part of a URL. */
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Records the request's origin. Trusts forwarding headers only from trusted proxies.
 *
 * Logs once when another peer sends such headers: it is probably a proxy that the configuration does not name.
 */
export function recordOrigin({ config, log }: Kernel): Middleware {
  const isProxy = createRanges(config.trustedProxies)
  let warned = false
  const header = config.accounts.trustedHeader?.name.toLowerCase()
  let forged = false
  const isTrusted = (address: string) => address !== '' && isProxy(address)

  return (ctx, next) => {
    const { headers, socket } = ctx.req
    checkHost(ctx.req)
    // A Unix socket has no addresses. A TCP socket has none after it was closed, and may be anybody's.
    const address = (config.socket ? '127.0.0.1' : canonical(socket.remoteAddress)) ?? ''
    const encrypted = (socket as TLSSocket).encrypted === true
    const behindProxy = isTrusted(address)
    const host = headers.host || `${socket.localAddress}:${socket.localPort}`
    ctx.state.origin = { address, secure: encrypted, host, behindProxy }
    // Repeated, they are not an address.
    const vouched = header && ctx.req.headersDistinct[header]?.join(', ')
    if (vouched && !behindProxy && !forged) {
      log.warn({ peer: address, header }, FORGED)
      forged = true
    }
    if (behindProxy) {
      // Each proxy of a chain appends an entry. Only the last one is from the proxy that we trust.
      const proto = lastOf(headers['x-forwarded-proto'])
      const named = lastOf(headers['x-forwarded-host'])
      ctx.state.origin = {
        address: forwardedClient(joined(headers['x-forwarded-for']), address, isTrusted),
        secure: encrypted || proto?.toLowerCase() === 'https',
        host: named && HOST.test(named) ? named : host,
        behindProxy,
        ...(vouched && { vouched }),
      }
    } else if (FORWARDING.some((name) => headers[name] !== undefined)) {
      ctx.state.origin.claimed = claimedClients(ctx.req)
      if (!warned) log.warn({ peer: address }, UNTRUSTED)
      warned = true
    }
    return next()
  }
}

/** Returns the last entry that is not a trusted proxy. An entry that is not an address ends the search. */
function forwardedClient(header: string, peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer
  for (const entry of header.split(',').reverse()) {
    const address = canonical(entry.trim())
    if (!address) break
    client = address
    if (!isTrusted(address)) break
  }
  return client
}

/**
 * Returns the clients that all forwarding headers name, each once, without ports, since these change with each
 * connection. The proxy sets one header and may pass on the others, so none may hide another, by its place or its
 * length.
 */
function claimedClients({ headers }: IncomingMessage): string {
  const entries = NAMING.flatMap((name) => joined(headers[name]).split(','))
  const clients = entries.flatMap((entry) => {
    const named = [...entry.matchAll(/\bfor="?([^";]+)/gi)].map(([, client = '']) => client)
    return (named.length ? named : [entry]).map((client) => client.trim())
  })
  return [...new Set(clients.map((client) => canonical(client) ?? client))].filter(Boolean).join(',')
}

/** RFC 9112 §3.2: exactly one Host, and a valid one; HTTP/1.0 may go without. */
function checkHost({ headersDistinct: { host = [] }, httpVersion }: IncomingMessage): void {
  const [name = ''] = host
  if (host.length > 1 || (host.length === 0 && httpVersion !== '1.0') || (name && !HOST.test(name))) {
    throw new ServiceError('BAD_REQUEST', 'The request must have one Host header with a host name and an optional port')
  }
}

function canonical(text: string | undefined): string | undefined {
  if (!text) return undefined
  // Some proxies add the port: 192.0.2.1:5555, [2001:db8::1]:5555.
  const bare = text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const address = bare.replace(/%.*$/, '')
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address
  return address.includes(':') && ipaddr.IPv6.isValid(address) ? ipaddr.process(address).toString() : undefined
}

const joined = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(',') : (header ?? ''))

const lastOf = (header: string | string[] | undefined) => joined(header).split(',').at(-1)?.trim() || undefined
