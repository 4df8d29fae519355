import { networkError } from './error.ts'

/** One request. */
export interface Outgoing {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | FormData | Blob
  signal?: AbortSignal
  /** Called while the body is sent, on platforms that report it, such as browsers. */
  onSent?: (bytes: number) => void
}

/** One complete answer. */
export interface Answer {
  status: number
  header(name: string): string | undefined
  text: string
}

/** Sends one request. @throws AthanorError NETWORK if there was no answer; the signal's reason after an abort. */
export async function send(request: Outgoing, fetch = globalThis.fetch): Promise<Answer> {
  request.signal?.throwIfAborted()
  // Fetch does not report how much of a body was sent.
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr }
  if (request.onSent && XMLHttpRequest) return sendObserved(request, new XMLHttpRequest())
  const { method, url, headers, body, signal } = request
  try {
    const answer = await fetch(url, {
      method,
      headers,
      cache: 'no-cache',
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    return { status: answer.status, header: (name) => answer.headers.get(name) ?? undefined, text: await answer.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    throw networkError(cause)
  }
}

function sendObserved({ method, url, headers, body, signal, onSent }: Outgoing, xhr: Xhr): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const abort = () => xhr.abort()
    xhr.open(method, String(url))
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded }) => onSent?.(loaded)
    xhr.onload = () => {
      const header = (name: string) => xhr.getResponseHeader(name) ?? undefined
      resolve({ status: xhr.status, header, text: xhr.responseText })
    }
    xhr.onerror = () => reject(networkError())
    xhr.onabort = () => reject(signal?.reason)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort, { once: true })
    xhr.send(body)
  })
}

/** The used parts of XMLHttpRequest, so that this compiles without browser types. */
interface Xhr {
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: unknown): void
  abort(): void
  upload: { onprogress: (event: { loaded: number }) => void }
  onload: () => void
  onerror: () => void
  onabort: () => void
  onloadend: () => void
  status: number
  responseText: string
}
