import type { AthanorError } from './error.ts'
import type { Upload } from './records.ts'
import type { Request } from './request.ts'

/** From which size files are sent in parts, and the size of a part, in bytes. */
export interface PartSizes {
  above: number
  /** Proxies often refuse bodies above 100 MB. */
  size: number
}

const TUS = { 'Tus-Resumable': '1.0.0' }

/** Failures of a part after which the upload goes on: the connection broke, or the offset was not known. */
const PASSING: readonly number[] = [0, 408, 409, 502, 503, 504]

/** Most failures in a row without a byte in between. */
const TRIES = 10

/**
 * Uploads a file in parts by tus. After a broken connection or a restart of the service, it asks how much has arrived, and
 * continues there.
 */
export async function uploadInParts(
  request: Request,
  { file, name, size }: { file: Blob; name: string; size: number },
  { signal, onSent }: { signal?: AbortSignal; onSent?: (bytes: number) => void },
): Promise<Upload> {
  const more = { ...(signal && { signal }) }
  const named = btoa(String.fromCharCode(...new TextEncoder().encode(name)))
  const begun = await request('POST', 'api/uploads/tus', {
    headers: { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${named}` },
    ...{ whole: true, ...more },
  })
  const place = `api/uploads/${begun.header('Location')}`
  try {
    return await sendParts(request, place, { file, size }, { ...more, ...(onSent && { onSent }) })
  } catch (error) {
    // Its bytes would count until they expire. Not with the signal, which may have aborted.
    void request('DELETE', place, { headers: TUS, whole: true }).catch(() => {})
    throw error
  }
}

async function sendParts(
  request: Request,
  place: string,
  { file, size }: { file: Blob; size: number },
  { signal, onSent }: { signal?: AbortSignal; onSent?: (bytes: number) => void },
): Promise<Upload> {
  const more = { ...(signal && { signal }) }
  let offset = 0
  for (let failures = 0; ; ) {
    try {
      const part = file.slice(offset, offset + size)
      const answer = await request('PATCH', place, {
        headers: { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
        ...{ bytes: part, whole: true, ...more },
        ...(onSent && { onSent: (bytes) => onSent(offset + bytes) }),
      })
      if (answer.text) return JSON.parse(answer.text)
      offset = Number(answer.header('Upload-Offset'))
      failures = 0
    } catch (error) {
      const { status } = error as Partial<AthanorError>
      if (status === undefined || !PASSING.includes(status) || ++failures > TRIES) throw error
      const asked = await request('HEAD', place, { headers: TUS, whole: true, ...more })
      const arrived = Number(asked.header('Upload-Offset'))
      if (arrived > offset) failures = 0
      offset = arrived
      onSent?.(offset)
    }
    // The answer to the last part was lost.
    if (offset === file.size) return request('GET', place, more)
  }
}
