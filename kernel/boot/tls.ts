import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'

/** A certificate with its chain and its key, as PEM. */
export interface Certificate {
  cert: string
  key: string
  /** Epoch milliseconds. */
  expires: number
}

/**
 * Reads and checks certificate and key.
 *
 * @throws StartError that names the variable with the faulty file.
 */
export function readCertificate(tls: NonNullable<Config['tls']>): Certificate {
  const cert = readFileSync(tls.cert, 'latin1')
  const key = readFileSync(tls.key, 'latin1')
  const certificate = parse(() => new X509Certificate(cert))
  const privateKey = parse(() => createPrivateKey(key))
  if (!certificate && !privateKey && parse(() => new X509Certificate(key)) && parse(() => createPrivateKey(cert))) {
    throw new StartError(
      `environment: TLS_CERT and TLS_KEY are swapped: ${tls.cert} contains the key. Exchange the two.`,
    )
  }
  if (!certificate) {
    throw new StartError(`environment: TLS_CERT: ${tls.cert} is not a certificate; expected a PEM file.`)
  }
  if (!privateKey) {
    throw new StartError(
      `environment: TLS_KEY: ${tls.key} is not a private key; expected a PEM file without a passphrase.`,
    )
  }
  if (!fits(certificate, privateKey)) {
    throw new StartError(
      `environment: TLS_KEY: ${tls.key} does not belong to the certificate in ${tls.cert}; expected the private key of ` +
        'that certificate.',
    )
  }
  return { cert, key, expires: Date.parse(certificate.validTo) }
}

/** A certificate file can contain a chain. Its first certificate is the server's own. */
const fits = (certificate: X509Certificate, key: KeyObject) => certificate.checkPrivateKey(key)

function parse<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
