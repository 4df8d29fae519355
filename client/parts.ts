import { AthanorError } from './error.ts'
import { sleep } from './pace.ts'
import type { Upload } from './records.ts'
import type { Request } from './request.ts'
import type { Answer } from './send.ts'

/** From which size files are sent in parts, and the size of a part, in bytes. */
export interface PartSizes {
  above: number
  /** Proxies often refuse bodies above 100 MB. */
  size: number
}

const TUS = { 'Tus-Resumable': '1.0.0' }

/** Failures of a part after which the upload goes on: the connection broke, or the offset was not known. */
const PASSING: readonly number[] = [0, 408, 409, 502, 503, 504]

/** Maximum failures in a row without a byte in between. */
const TRIES = 10

/** Milliseconds that the service may take to make the file of a complete upload, and between two questions about it. */
const MAKING = { max: 3_600_000, pause: 1000 }

/**
 * Uploads a file in parts by tus. After a broken connection or a restart of the service, it asks how much has arrived,
 * and continues there.
 */
export async function uploadInParts(
  request: Request,
  { file, name, size }: { file: Blob; name: string; size: number },
  { signal, onSent }: { signal?: AbortSignal; onSent?: (bytes: number) => void },
): Promise<Upload> {
  const more = { ...(signal && { signal }) }
  const named = btoa(String.fromCharCode(...new TextEncoder().encode(name)))
  const begun = await request<Answer>('POST', 'api/uploads/tus', {
    headers: { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${named}` },
    whole: true,
    ...more,
  })
  const place = `api/uploads/${begun.header('Location')}`
  const giveUp = (error: unknown): never => {
    // Its bytes would count until they expire. Not with the signal, which may have aborted.
    void request('DELETE', place, { headers: TUS, whole: true }).catch(() => {})
    throw error
  }
  const sent = await sendParts(request, place, { file, size }, { ...more, ...(onSent && { onSent }) }).catch(giveUp)
  return sent ?? readMade(request, place, more, giveUp)
}

/** Asks what a complete upload became, for as long as the service may make the file. */
async function readMade(
  request: Request,
  place: string,
  more: { signal?: AbortSignal },
  giveUp: (error: unknown) => never,
): Promise<Upload> {
  const end = Date.now() + MAKING.max
  for (;;) {
    try {
      return await request('GET', place, more)
    } catch (error) {
      if (!isMaking(error)) return giveUp(error)
      // Not given up: that would remove the file which the service may still make.
      if (Date.now() > end) throw error
      await sleep(Math.max(MAKING.pause, (error.retryAfter ?? 0) * 1000), more.signal).catch(giveUp)
    }
  }
}

/** Whether the service may still make the file after this error. A full storage may take days to have room. */
const isMaking = (error: unknown): error is AthanorError =>
  error instanceof AthanorError &&
  error.code !== 'STORAGE_FULL' &&
  (PASSING.includes(error.status) || error.code === 'RATE_LIMITED')

/** Sends the parts. Resolves to undefined if all have arrived, and the answer to the last one was lost. */
async function sendParts(
  request: Request,
  place: string,
  { file, size }: { file: Blob; size: number },
  { signal, onSent }: { signal?: AbortSignal; onSent?: (bytes: number) => void },
): Promise<Upload | undefined> {
  const more = { ...(signal && { signal }) }
  let offset = 0
  for (let failures = 0; ; ) {
    try {
      const part = file.slice(offset, offset + size)
      const answer = await request<Answer>('PATCH', place, {
        headers: { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
        bytes: part,
        whole: true,
        ...more,
        ...(onSent && { onSent: (bytes) => onSent(offset + bytes) }),
      })
      if (answer.text) return JSON.parse(answer.text)
      offset = Number(answer.header('Upload-Offset'))
      failures = 0
    } catch (error) {
      const { status } = error as Partial<AthanorError>
      if (status === undefined || !PASSING.includes(status) || ++failures > TRIES) throw error
      const asked = await request<Answer>('HEAD', place, { headers: TUS, whole: true, ...more })
      const arrived = Number(asked.header('Upload-Offset'))
      if (arrived > offset) failures = 0
      offset = arrived
      onSent?.(offset)
    }
    if (offset === file.size) return undefined
  }
}
