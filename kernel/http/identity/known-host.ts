import { isIP } from 'node:net'
import type { Config } from '../../../config/config.ts'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { isLoopback } from '../../people/owner.ts'
import { refuseWithPage } from '../answer/refusal-page.ts'
import { type Middleware, pass } from '../context.ts'

/**
 * Refuses requests for host names that are not this service's. A stranger's page can make its own name resolve to this
 * machine (DNS rebinding). The browser then lets the page read our answers, and only `Host` shows it. Production is
 * left out: there the page would need a certificate for its name.
 */
export function requireKnownHost({ config }: Pick<Kernel, 'config'>): Middleware {
  if (config.mode === 'production' && config.profile !== 'home') return pass
  const isKnown = knownHosts(config)
  return (ctx, next) => {
    const { headers, socket } = ctx.req
    const isAnyHost = ctx.state.operationsAtPath.some(({ anyHost }) => anyHost)
    // A proxy on another machine vouches for the name. On this machine a browser could claim to be a proxy.
    const vouched = ctx.state.origin.behindProxy && !isLoopback(socket.remoteAddress ?? '')
    if (!headers.host || vouched || isAnyHost || isKnown(headers.host, socket.localAddress ?? '')) return next()
    if (refuseWithPage(ctx, 'unknownHost')) return undefined
    throw new ServiceError(
      'MISDIRECTED_REQUEST',
      'Host: the service does not answer to this name; use localhost, or ask the operator to add the name to http.hosts or PUBLIC_URL',
    )
  }
}

/** Endings that home routers and mDNS give to machines of the network. Strangers cannot register names under them. */
const HOME_NAME = /\.(local|lan|home|internal|home\.arpa|fritz\.box)$/

/**
 * Returns a function that says whether a Host header names this service. `at` is the local address of the connection.
 */
export function knownHosts({
  publicUrl,
  profile,
  http,
}: Pick<Config, 'publicUrl' | 'profile' | 'http'>): (host: string, at: string) => boolean {
  const listed = new Set([...http.hosts, ...(publicUrl ? [new URL(publicUrl).hostname] : [])].map(bare))
  return (host, at) => {
    const name = bare(host)
    if (listed.has(name) || name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)) return true
    // An address cannot be rebound. A client on loopback has no reason to use another address.
    if (isIP(name)) return profile === 'home' || !isLoopback(at)
    return profile === 'home' && (!name.includes('.') || HOME_NAME.test(name))
  }
}

/** A host without its port, brackets and final dot, in lower case. */
const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/:\d*$/, (port) => (/^[^[\]]*:.*:/.test(host) ? port : ''))
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
