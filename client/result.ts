import { AthanorError, networkError } from './error.ts'
import type { Conversion } from './records.ts'
import { errorOf } from './request.ts'

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
  readonly #signal: AbortSignal | undefined

  constructor(conversion: Conversion, url: string, signal?: AbortSignal) {
    this.conversion = conversion
    this.url = url
    this.size = conversion.outputSize ?? 0
    const file = conversion.outputFileId?.split('/').at(-1) ?? ''
    this.name = `${conversion.name}.${file.includes('.') ? extensionOf(file, conversion.toFormat) : conversion.toFormat}`
    this.#signal = signal
  }

  /** Opens the bytes. @throws AthanorError NOT_FOUND if the result has expired, NETWORK. */
  async stream(): Promise<ReadableStream<Uint8Array>> {
    return (await this.#open()).body ?? new Blob([]).stream()
  }

  /** Reads the bytes. @throws AthanorError as `stream`. */
  async blob(): Promise<Blob> {
    return (await this.#open()).blob()
  }

  /**
   * Writes the result to a file; a file that is there is replaced when all bytes have arrived. Not in browsers.
   * @throws AthanorError as `stream`; Error of the platform if it cannot be written.
   */
  async save(path: string): Promise<void> {
    const { rename, rm, writeFile } = await import('node:fs/promises')
    const partial = `${path}.${Math.random().toString(36).slice(2)}.part`
    try {
      // Node's own type of a stream is another one.
      await writeFile(partial, (await this.stream()) as never, { flag: 'wx' })
      await rename(partial, path)
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
  }

  async #open(): Promise<Response> {
    const signal = this.#signal
    const answer = await fetch(this.url, signal ? { signal } : {}).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw networkError(cause)
    })
    if (answer.ok) return answer
    const { code = `HTTP_${answer.status}`, message = 'The result cannot be read' } = errorOf(await answer.text())
    throw new AthanorError(message, { code, status: answer.status })
  }
}

/** Several pages come as one ZIP, whatever their format; `tar.gz` has two parts. */
const extensionOf = (file: string, format: string) =>
  file.toLowerCase().endsWith(`.${format}`) ? format : (file.split('.').at(-1) ?? format)
