/**
 * Checks whether the service on this machine is ready. Run `health-check.ts` with the environment of the service, to
 * use its port, address and TLS setting. Exits with 0 if it is ready, otherwise with 1 and a line that says why.
 */
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { loadConfig } from './load.ts'

/** Timeout in milliseconds. */
const ANSWER_TIMEOUT_MS = 4000
/** Loopback addresses for a service that listens on all addresses. */
const NEAREST: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

try {
  const { host, port, tls } = loadConfig({ env: process.env, argv: [] })
  const status = await ask({ host: NEAREST[host] ?? host, port, secure: tls !== undefined })
  if (status !== 200) throw new Error(`/readyz answers ${status}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

function ask({ host, port, secure }: { host: string; port: number; secure: boolean }): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host, port, path: '/readyz', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }
    // The certificate names the public host, so it cannot match. The request does not leave the machine.
    const request = secure ? getHttps({ ...options, rejectUnauthorized: false }) : getHttp(options)
    request.on('error', reject).on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
}
