import { once } from 'node:events'
import { createServer } from 'node:net'
import { StartError } from '../errors.ts'

/** An address to listen on. */
export interface Address {
  host: string
  /** 0 takes any free one. */
  port: number
  /** Names of the settings, for messages. Default: HOST and PORT. */
  settings?: { host: string; port: string }
}

/**
 * Listens on an address for a moment.
 *
 * @throws StartError that says why the service cannot listen there and what would work.
 */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen(address.port, address.host), 'listening')
  } catch (cause) {
    throw cannotListen(address, cause)
  }
  await new Promise((resolve) => server.close(resolve))
}

const OWN = { host: 'HOST', port: 'PORT' }

const REMEDIES: Readonly<Record<string, (address: Required<Address>) => string>> = {
  EADDRINUSE: ({ settings }) =>
    `another program uses this address. Stop that program, or set ${settings.port} to a free port`,
  EACCES: ({ port, settings }) =>
    port < 1024
      ? `ports below 1024 need the capability CAP_NET_BIND_SERVICE. Set ${settings.port} to 1024 or more behind a proxy`
      : `the system does not permit it. Set ${settings.port} to another port`,
  EADDRNOTAVAIL: ({ settings }) =>
    `this machine does not have that address. Set ${settings.host} to one of its own, or to 0.0.0.0 for all`,
  ENOTFOUND: ({ settings }) => `the name does not resolve. Set ${settings.host} to an address of this machine`,
}

/** The error for an address that the service cannot listen on. */
export function cannotListen(address: Address, cause: unknown): StartError {
  const { code = '' } = cause as NodeJS.ErrnoException
  const settings = address.settings ?? OWN
  const remedy =
    REMEDIES[code]?.({ ...address, settings }) ??
    `Set ${settings.host} and ${settings.port} to a free address of this machine`
  return new StartError(`Cannot listen on ${address.host}, port ${address.port}: ${code}; ${remedy}.`, { cause })
}
