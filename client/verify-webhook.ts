import type { Conversion } from './records.ts'

/** An event that the service posts to a webhook. */
export type WebhookEvent =
  | { type: 'conversion.completed' | 'conversion.failed'; timestamp: string; data: Conversion }
  | {
      type: 'batch.completed'
      timestamp: string
      data: { id: string; status: 'completed'; total: number; completed: number; failed: number; createdAt: string }
    }
  | { type: 'test'; timestamp: string; data: { id: string } }

/** Headers of a request, as frameworks give them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Seconds by which the clocks may differ: an older message may be a repeated one. */
const TOLERANCE = 300

/**
 * Verifies a message to a webhook (Standard Webhooks), in constant time, and reads its event. Needs Web Crypto.
 *
 * @param body As it was received, before JSON is parsed. @param secret As the service showed it: `whsec_…`.
 * @throws Error if the message was not signed with the secret, or is older than five minutes.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const read = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const timestamp = read('webhook-timestamp')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN)) <= TOLERANCE)) {
    throw new Error('The message has no timestamp, or one that is more than five minutes away')
  }
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${read('webhook-id')}.${timestamp}.${text}`)
  for (const signature of read('webhook-signature').split(' ')) {
    if (!signature.startsWith('v1,')) continue
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)) return JSON.parse(text)
  }
  throw new Error('The message was not signed with this secret')
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
