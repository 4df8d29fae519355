import { AthanorError } from './error.ts'
import { createPace, familyOf, sleep } from './pace.ts'
import { type Answer, type Outgoing, send } from './send.ts'

/** How requests are made. */
export interface Connection {
  /** The service's root. A path behind the host is kept, so that a proxy may serve it under a prefix. */
  url: string | URL
  /** Sent with each request, such as a credential. */
  headers?: () => Readonly<Record<string, string>>
  /** Milliseconds that a request may take up with waiting and trying again, in all. Default: two minutes. */
  patience?: number
  /** Called when requests wait because the service asked for it; 0 when they go on. */
  onWait?: (seconds: number) => void
  /** Called after each request: whether the service answered. */
  onReach?: (reached: boolean) => void
}

export interface RequestOptions {
  body?: object
  form?: FormData
  signal?: AbortSignal
  onSent?: (bytes: number) => void
}

/** Makes one request and gives its JSON; undefined where the answer has none. @throws AthanorError. */
export type Request = (method: Outgoing['method'], path: string, options?: RequestOptions) => Promise<any>

/** Milliseconds before a request that got no answer is tried again; the last one repeats. */
const PAUSES = [500, 1000, 2000, 4000]

/** Milliseconds after which a wait looks whether it may end sooner. */
const GLANCE = 1000

export function createRequest({ url, headers, patience = 120_000, onWait, onReach }: Connection): Request {
  const base = new URL(String(url).replace(/\/*$/, '/'))
  const pace = createPace()

  let waiting = 0

  /** Waits as long as `left` says, in milliseconds; it is asked again now and then. */
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

  return async function request(method, path, { body, form, signal, onSent } = {}) {
    const family = familyOf(method, path)
    const outgoing: Outgoing = {
      ...{ method, url: new URL(path, base) },
      headers: { ...headers?.(), ...(body && { 'content-type': 'application/json' }) },
      ...(form ? { body: form } : body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(onSent && { onSent }),
    }
    const deadline = Date.now() + patience
    for (let attempt = 0; ; attempt++) {
      await wait(() => Math.min(pace.delay(family), deadline - Date.now()), signal)
      try {
        const answer = await counted(send(outgoing), pace.leave(family))
        onReach?.(true)
        if (answer.status < 400) return answer.text ? JSON.parse(answer.text) : undefined
        throw refusal(answer)
      } catch (error) {
        if (!(error instanceof AthanorError)) throw error
        if (error.status === 0) onReach?.(false)
        const pause = pauseBefore(method, error, attempt)
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

/** Hands a request's answer to the pace as well; nothing, where none came. */
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
 * Milliseconds before a failed request may be sent again without doing a thing twice; undefined: never. What the service
 * refused for now, it did not do. What got no answer may have been done, so only reading and deleting are repeated.
 */
function pauseBefore(method: string, { status, code, retryAfter }: AthanorError, attempt: number): number | undefined {
  // A day's quota comes back tomorrow.
  if (code === 'QUOTA_EXCEEDED') return undefined
  if ((status === 429 || status === 503) && retryAfter !== undefined) return retryAfter * 1000
  const unanswered = status === 0 || status === 502 || status === 503 || status === 504
  return unanswered && method !== 'POST' ? PAUSES[Math.min(attempt, PAUSES.length - 1)] : undefined
}

function refusal(answer: Answer): AthanorError {
  const { code, message } = errorOf(answer.text)
  const after = Number(answer.header('Retry-After') ?? Number.NaN)
  const requestId = answer.header('X-Request-Id')
  return new AthanorError(message ?? `The service answered with ${answer.status}`, {
    ...{ code: code ?? `HTTP_${answer.status}`, status: answer.status },
    ...(requestId !== undefined && { requestId }),
    ...(after >= 0 && { retryAfter: after }),
  })
}

/** A proxy in between answers in words of its own. */
function errorOf(text: string): { code?: string; message?: string } {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {}
  }
}
