import type { DeliveryRow } from '../database/tables/webhook-deliveries.ts'
import { ServiceError } from '../errors.ts'
import type { Client } from '../imports/client.ts'
import { signatureOf } from './signature.ts'

/** Time limit of one attempt. */
const TIMEOUT_MS = 20_000

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds before each further attempt. */
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR]

/** Longest pause that a server can ask for. */
const MAX_PAUSE = 24 * HOUR

/** The part of a pause that is random, so that many deliveries do not come back at the same moment. */
const JITTER = 0.2

/** How an attempt ended. */
interface AttemptOutcome {
  /** HTTP status; undefined: no answer. */
  status: number | undefined
  /** Why it failed; undefined: it was delivered. */
  error: string | undefined
  /** Milliseconds that the server asks to wait. */
  retryAfter: number | undefined
}

/** What is posted. */
interface WebhookMessage {
  id: string
  /** JSON. */
  body: string
  /** Each signs. */
  secrets: readonly string[]
  /** Further headers, such as that of the trace. */
  headers: Readonly<Record<string, string>>
}

/**
 * Posts an event (Standard Webhooks 1.0). 2xx succeeds; redirects are not followed, and fail. Never rejects.
 */
export async function attempt(
  client: Client,
  url: string,
  { id, body, secrets, headers }: WebhookMessage,
  stopping: AbortSignal,
): Promise<AttemptOutcome> {
  const timestamp = Math.floor(Date.now() / 1000)
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const {
      status,
      headers: answered,
      body: answer,
    } = await client.send(new URL(url), {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(body)}`,
        'webhook-id': id,
        'webhook-timestamp': `${timestamp}`,
        'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
      },
      body,
      redirects: 0,
      signal: AbortSignal.any([deadline, stopping]),
    })
    answer.destroy()
    const isDelivered = status >= 200 && status < 300
    const error = isDelivered ? undefined : `The server answered ${status}`
    return { status, error, retryAfter: isDelivered ? undefined : pauseIn(answered['retry-after']) }
  } catch (thrown) {
    const late = `The server did not answer within ${TIMEOUT_MS / 1000} seconds`
    const why = thrown instanceof ServiceError ? thrown.message : 'The server could not be reached'
    return { status: undefined, error: deadline.aborted ? late : why, retryAfter: undefined }
  }
}

/** Reads `Retry-After` (RFC 9110 §10.2.3): seconds or a date. Returns milliseconds. */
function pauseIn(header: string | undefined): number | undefined {
  if (!header) return undefined
  const pause = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return pause > 0 ? Math.min(pause, MAX_PAUSE) : undefined
}

/**
 * What to record after an attempt.
 * @param now Epoch milliseconds. @param random From 0 to 1.
 */
export function afterAttempt(
  { attempts }: Pick<DeliveryRow, 'attempts'>,
  { status, error, retryAfter }: AttemptOutcome,
  now: number,
  random = Math.random(),
): Pick<DeliveryRow, 'status' | 'attempts' | 'last_status' | 'last_error' | 'next_at'> {
  const result = { attempts: attempts + 1, last_status: status ?? null, last_error: error ?? null }
  if (error === undefined) return { ...result, status: 'delivered', next_at: null }
  const planned = PAUSES[attempts]
  // 410: the endpoint is gone for good.
  if (planned === undefined || status === 410) return { ...result, status: 'failed', next_at: null }
  const pause = Math.max(planned * (1 + JITTER * random), retryAfter ?? 0)
  return { ...result, status: 'pending', next_at: Math.round(now + pause) }
}
