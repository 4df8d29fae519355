import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../accounts/networks.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import type { Middleware } from './context.ts'

/** Probes name the machine by whatever address they have for it, and learn nothing of anybody's. */
const PROBES = new Set(['/healthz', '/readyz'])

/**
 * Refuses names that are not this service's. A page of a stranger can make its own name resolve to this machine (DNS
 * rebinding); the browser then lets it read our answers, and only `Host` tells. Production is left out: there a page
 * would need a certificate for its name.
 */
export function requireKnownHost({ config }: Pick<Kernel, 'config'>): Middleware {
  if (config.mode === 'production' && config.profile !== 'home') return (_ctx, next) => next()
  const isKnown = knownHosts(config)
  return (ctx, next) => {
    const { headers, socket } = ctx.req
    const { behindProxy } = ctx.state.origin
    // A proxy of another machine vouches for the name; on this machine a browser could say that it is one.
    const vouched = behindProxy && !isLoopback(socket.remoteAddress ?? '')
    if (!headers.host || vouched || PROBES.has(ctx.path) || isKnown(headers.host, socket.localAddress ?? '')) {
      return next()
    }
    throw new ServiceError(
      'MISDIRECTED_REQUEST',
      'Host: this service is not known by that name; use localhost, or let the operator list the name in http.hosts or PUBLIC_URL',
    )
  }
}

/** Whether a Host header names the service to a client that connected to the local address `at`. */
export function knownHosts({
  publicUrl,
  profile,
  http,
}: Pick<Config, 'publicUrl' | 'profile' | 'http'>): (host: string, at: string) => boolean {
  const listed = new Set([...http.hosts, ...(publicUrl ? [new URL(publicUrl).hostname] : [])].map(bare))
  return (host, at) => {
    const name = bare(host)
    if (listed.has(name) || name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)) return true
    // An address cannot be rebound. A client on loopback has no reason to use another one.
    if (isIP(name)) return profile === 'home' || !isLoopback(at)
    return profile === 'home' && (!name.includes('.') || /\.(local|lan|home\.arpa)$/.test(name))
  }
}

/** A host without its port, brackets and final dot, in lower case. */
const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/:\d*$/, (port) => (/^[^[\]]*:.*:/.test(host) ? port : ''))
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
