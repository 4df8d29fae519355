import { createHmac, randomBytes } from 'node:crypto'

/** Prefix of secrets in text, by which people and scanners recognise them. */
const PREFIX = 'whsec_'

/** Makes a secret for an endpoint: 32 random bytes. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** What is signed. */
interface SignedMessage {
  id: string
  /** Epoch seconds. */
  timestamp: number
  body: string
}

/** The header `webhook-signature` (Standard Webhooks 1.0): one signature for each secret, separated by spaces. */
export const signatureOf = ({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
