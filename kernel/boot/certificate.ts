import { unwatchFile, watchFile } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { type Certificate, readCertificate } from './tls.ts'

/** Milliseconds between two looks at the files. Polled, because renewals replace files and links to them. */
const POLL_INTERVAL_MS = 5000

/** The certificate that the service uses. A renewed one takes its place without a restart. */
export type ServedCertificate = ReturnType<typeof serveCertificate>

/** Reads the certificate, and again whenever its files change, until the signal aborts. @throws StartError. */
export function serveCertificate(tls: NonNullable<Config['tls']>, log: Logger, signal: AbortSignal) {
  let current = readCertificate(tls)
  const followers: ((certificate: Certificate) => void)[] = []

  /** Reads the files again. @throws StartError if they are faulty; the old certificate stays. */
  function renew(): void {
    const next = readCertificate(tls)
    if (next.cert === current.cert && next.key === current.key) return
    current = next
    for (const use of followers) use(next)
    log.info({ expires: new Date(next.expires).toISOString() }, 'certificate renewed')
  }

  function poll(): void {
    try {
      renew()
    } catch (error) {
      // Often one of the two files is still the old one. The next change is looked at again.
      log.warn({ reason: (error as Error).message }, 'certificate not renewed; the old one stays in effect')
    }
  }

  for (const file of [tls.cert, tls.key]) {
    watchFile(file, { interval: POLL_INTERVAL_MS, persistent: false }, poll)
    signal.addEventListener('abort', () => unwatchFile(file, poll))
  }
  return {
    current: () => current,
    /** Calls `use` with each new certificate. */
    follow: (use: (certificate: Certificate) => void) => void followers.push(use),
    renew,
  }
}
