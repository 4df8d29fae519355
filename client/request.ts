import { AthanorError } from './error.ts'
import { createPace, familyOf, sleep } from './pace.ts'
import { type Answer, type Outgoing, send } from './send.ts'

/** Settings of requests. */
export interface Connection {
  /** Base URL of the service. It may have a path, for a proxy that serves the service under a prefix. */
  url: string | URL
  /** Headers sent with each request, such as credentials. */
  headers?: () => Readonly<Record<string, string>>
  /** Sends the requests. Default: that of the platform. */
  fetch?: typeof fetch
  /** Maximum time for waits and retries of one request, in milliseconds. Default: two minutes. */
  patience?: number
  /** Called when requests wait because the service asked for it, and with 0 when they continue. */
  onWait?: (seconds: number) => void
  /** Called after each request: whether the service answered. */
  onReach?: (reached: boolean) => void
}

export interface RequestOptions {
  body?: object
  form?: FormData
  /** A body that is neither JSON nor a form. */
  bytes?: Blob
  /** `Idempotency-Key`: with it, a POST is safe to repeat. */
  key?: string
  /** Headers in addition to those of the connection. */
  headers?: Readonly<Record<string, string>>
  /** Whether the caller wants the whole answer, not only its JSON. */
  whole?: boolean
  signal?: AbortSignal
  /** After an abort, wait for the answer of a request that was sent: what it did must be known. */
  finish?: boolean
  onSent?: (bytes: number) => void
}

/**
 * Sends one request and returns the JSON of the answer, or undefined if it has none. Its type is what the caller knows
 * of the API: nothing checks it. @throws AthanorError.
 */
export type Request = <T = unknown>(method: Outgoing['method'], path: string, options?: RequestOptions) => Promise<T>

/** Delays in milliseconds before retries of a request without an answer. The last one repeats. */
const PAUSES = [500, 1000, 2000, 4000]

/** Milliseconds after which a wait checks whether it may end earlier. */
const GLANCE = 1000

export function createRequest({ url, headers, fetch, patience = 120_000, onWait, onReach }: Connection): Request {
  const base = new URL(String(url).replace(/\/*$/, '/'))
  const pace = createPace()

  let waiting = 0

  /** Waits for as many milliseconds as `left` returns, and calls it again at intervals. */
  async function wait(left: () => number, signal?: AbortSignal): Promise<void> {
    if (left() <= 0) return
    waiting++
    onWait?.(Math.ceil(left() / 1000))
    try {
      for (let rest = left(); rest > 0; rest = left()) await sleep(Math.min(rest, GLANCE), signal)
    } finally {
      if (--waiting === 0) onWait?.(0)
    }
  }

  return async function request<T>(method: Outgoing['method'], path: string, options: RequestOptions = {}): Promise<T> {
    const { body, form, bytes, key, signal, finish, onSent, headers: own, whole } = options
    const family = familyOf(method, path)
    const content = form ?? bytes ?? (body && JSON.stringify(body))
    const outgoing: Outgoing = {
      method,
      url: new URL(path, base),
      headers: {
        ...headers?.(),
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...own,
      },
      ...(content !== undefined && { body: content }),
      ...(signal && !finish && { signal }),
      ...(onSent && { onSent }),
    }
    const deadline = Date.now() + patience
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      await wait(() => Math.min(pace.delay(family), deadline - Date.now()), signal)
      try {
        const answer = await counted(send(outgoing, fetch), pace.leave(family))
        onReach?.(true)
        if (answer.status < 400) return (whole ? answer : answer.text ? JSON.parse(answer.text) : undefined) as T
        throw refusal(answer)
      } catch (error) {
        if (!(error instanceof AthanorError)) throw error
        if (error.status === 0) onReach?.(false)
        const isSafe = (method !== 'POST' && method !== 'PATCH') || key !== undefined
        const pause = pauseBefore(isSafe, error, attempt)
        if (pause === undefined || Date.now() + pause > deadline) throw error
        if (error.status === 0) await sleep(pause, signal)
        else {
          const end = Date.now() + pause
          await wait(() => end - Date.now(), signal)
        }
      }
    }
  }
}

/** Sends a request and passes its answer, if any, to the pace. */
async function counted(sending: Promise<Answer>, arrive: (answer?: Answer) => void): Promise<Answer> {
  let answer: Answer | undefined
  try {
    answer = await sending
    return answer
  } finally {
    arrive(answer)
  }
}

/**
 * Returns the milliseconds before a failed request can be retried without doing anything twice; undefined: never. The
 * service did not carry out a request that it refused. It may have carried out a request without an answer, so that is
 * retried only if it is safe: reads, deletes, and what has a key.
 */
function pauseBefore(isSafe: boolean, { status, code, retryAfter }: AthanorError, attempt: number): number | undefined {
  // A daily quota does not recover within minutes.
  if (code === 'QUOTA_EXCEEDED') return undefined
  if ((status === 429 || status === 503 || code === 'IDEMPOTENCY_KEY_IN_USE') && retryAfter !== undefined)
    return retryAfter * 1000
  const unanswered = status === 0 || status === 502 || status === 503 || status === 504
  return unanswered && isSafe ? PAUSES[Math.min(attempt, PAUSES.length - 1)] : undefined
}

function refusal(answer: Answer): AthanorError {
  const { code, message } = errorOf(answer.text)
  const after = Number(answer.header('Retry-After') ?? Number.NaN)
  const requestId = answer.header('X-Request-Id')
  return new AthanorError(message ?? `The service answered with ${answer.status}`, {
    code: code ?? `HTTP_${answer.status}`,
    status: answer.status,
    ...(requestId !== undefined && { requestId }),
    ...(after >= 0 && { retryAfter: after }),
  })
}

/** A proxy in between answers in its own format. */
export function errorOf(text: string): { code?: string; message?: string } {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {}
  }
}
