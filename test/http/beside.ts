import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Kernel } from '../../kernel/boot/kernel.ts'
import { createServer } from '../../kernel/http/server.ts'
import type { Service } from '../harness/service.ts'

/** Settings of a service in production, behind a proxy on this machine. */
export const PRODUCTION: Partial<Config> = { mode: 'production', trustedProxies: ['127.0.0.1'] }

/** Headers of that proxy for a client. */
export const proxied = (address: string, more: Record<string, string> = {}) => ({
  'x-forwarded-proto': 'https',
  'x-forwarded-for': address,
  ...more,
})

/**
 * Starts another server on the kernel of a service, with other settings of HTTP or other parts. A whole service takes
 * much longer. It ends when it is disposed, before the service.
 */
export async function beside(service: Service, settings: Partial<Config>, parts: object = {}): Promise<Service> {
  const kernel: Kernel = { ...service.kernel, ...parts, config: { ...service.kernel.config, ...settings } }
  const server = createServer(kernel)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...service,
    kernel,
    port,
    base: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
