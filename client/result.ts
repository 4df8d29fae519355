import { AthanorError, networkError } from './error.ts'
import type { Conversion } from './records.ts'
import { errorOf } from './request.ts'

/** Where the service keeps bytes. */
export interface Place {
  url: string
  signal?: AbortSignal
  fetch?: typeof fetch
}

/** Opens the bytes. @throws AthanorError NOT_FOUND if they have expired, NETWORK. */
async function open({ url, signal, fetch = globalThis.fetch }: Place): Promise<Response> {
  const answer = await fetch(url, signal ? { signal } : {}).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw networkError(cause)
  })
  if (answer.ok) return answer
  const { code = `HTTP_${answer.status}`, message = 'The result cannot be read' } = errorOf(await answer.text())
  throw new AthanorError(message, { code, status: answer.status })
}

const streamFrom = async (place: Place) => (await open(place)).body ?? new Blob([]).stream()

/** Writes the bytes to a file; one that is there is replaced when all have arrived. @throws as `Result.save`. */
export async function saveFrom(place: Place, path: string): Promise<void> {
  const { rename, rm, writeFile } = await import('node:fs/promises')
  // Not behind the name, which may be as long as names can be.
  const partial = path.replace(/[^/\\]*$/, `.athanor-${Math.random().toString(36).slice(2)}.part`)
  try {
    // Node's own type of a stream is another one.
    await writeFile(partial, (await streamFrom(place)) as never, { flag: 'wx' })
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** The result of a conversion. It can be read as long as the service keeps it: see `conversion`. */
export class Result {
  /** The record of the conversion. */
  readonly conversion: Conversion
  /** Where it can be downloaded, without a credential, for some minutes. */
  readonly url: string
  /** Bytes. */
  readonly size: number
  /** File name with its extension. */
  readonly name: string
  readonly #place: Place

  constructor(conversion: Conversion, place: Place) {
    this.conversion = conversion
    this.url = place.url
    this.size = conversion.outputSize ?? 0
    const file = conversion.outputFileId?.split('/').at(-1) ?? ''
    this.name = `${conversion.name}.${file.includes('.') ? extensionOf(file, conversion.toFormat) : conversion.toFormat}`
    this.#place = place
  }

  /** Opens the bytes. @throws AthanorError NOT_FOUND if the result has expired, NETWORK. */
  stream(): Promise<ReadableStream<Uint8Array>> {
    return streamFrom(this.#place)
  }

  /** Reads the bytes. @throws AthanorError as `stream`. */
  async blob(): Promise<Blob> {
    return (await open(this.#place)).blob()
  }

  /**
   * Writes the result to a file; a file that is there is replaced when all bytes have arrived. Not in browsers.
   * @throws AthanorError as `stream`; Error of the platform if it cannot be written.
   */
  save(path: string): Promise<void> {
    return saveFrom(this.#place, path)
  }
}

/** Several pages come as one ZIP, whatever their format; `tar.gz` has two parts. */
const extensionOf = (file: string, format: string) =>
  file.toLowerCase().endsWith(`.${format}`) ? format : (file.split('.').at(-1) ?? format)
