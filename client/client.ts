import { type ServiceEvent, streamEvents } from './events.ts'
import type { PartSizes } from './parts.ts'
import type { Batch, BatchFile, BatchItem, Conversion, Format, Options, StartRequest, Tool, Upload } from './records.ts'
import { type Connection, createRequest, type Request } from './request.ts'

export { AthanorError } from './error.ts'
export type { ServiceEvent } from './events.ts'
export type {
  Batch,
  BatchFile,
  BatchItem,
  Conversion,
  Forbidden,
  Format,
  OptionSchema,
  Options,
  OptionsSchema,
  StartRequest,
  Tool,
  Upload,
  Usage,
} from './records.ts'
export type { Connection } from './request.ts'

const PART_SIZES: PartSizes = { above: 20e6, size: 50e6 }

interface Cancellable {
  signal?: AbortSignal
}

/** A call that is safe to repeat with the same key. */
interface Keyed extends Cancellable {
  /** `Idempotency-Key`. */
  key?: string
}

/** A start. With `finish`, an abort waits for the answer to a request that was sent, and the call returns the id. */
type Starting = Keyed & { finish?: boolean }

/**
 * A client of the service. It runs in browsers, Node, Bun and Deno, without dependencies. It retries only requests that
 * are safe to repeat, obeys `Retry-After` and `RateLimit`, and throws `AthanorError`.
 */
export interface Client {
  /** Lists all formats and their targets. */
  formats(options?: Cancellable): Promise<Format[]>
  /** Lists the tools from a format to a category, with their options. */
  tools(query: { category: string; from: string }, options?: Cancellable): Promise<Tool[]>
  /**
   * Uploads a file; above 20 MB in parts, so that broken connections and restarts of the service only delay it.
   * @param options.onSent Called with the bytes sent so far. Within a part, in browsers only.
   */
  upload(file: Blob, name: string, options?: Keyed & { onSent?: (bytes: number) => void }): Promise<Upload>
  /** Makes the service fetch a public file. */
  importUrl(url: string, options?: Keyed): Promise<Upload>
  /** Starts a conversion and returns its id. */
  start(request: StartRequest, options?: Starting): Promise<string>
  /** Starts conversions of several files. One that is refused does not stop the others. */
  startBatch(files: readonly BatchFile[], options?: Keyed): Promise<{ batchId: string; conversions: BatchItem[] }>
  /** Returns a batch with its conversions. */
  batch(id: string, options?: Cancellable): Promise<Batch>
  /**
   * Makes one ZIP of the results of ended conversions, at most 10,000; `missing` are the ids of those that are gone or
   * have not ended. @throws AthanorError NOT_FOUND if that is true of all.
   */
  zip(ids: readonly string[], options?: Cancellable): Promise<{ outputUrl: string; missing: readonly string[] }>
  /**
   * Returns a conversion.
   * @param options.wait Seconds, 0 to 30: answers when the conversion ends, or after this time.
   */
  conversion(id: string, options?: Cancellable & { wait?: number }): Promise<Conversion>
  /**
   * Yields events of all conversions until the signal aborts, also over broken connections. Each stream begins with the
   * newest conversions. @throws AthanorError NO_EVENTS if no stream comes through: then poll instead.
   */
  events(options: { signal: AbortSignal }): AsyncGenerator<ServiceEvent, void>
  /** Lists the newest conversions, at most `limit` (1 to 200). */
  conversions(options?: Cancellable & { limit?: number }): Promise<Conversion[]>
  /** Returns the upload that a conversion read. @throws AthanorError NOT_FOUND if it has expired. */
  source(id: string, options?: Cancellable): Promise<Upload['file']>
  /** Cancels a running conversion, or deletes an ended one with its result. */
  remove(id: string, options?: Cancellable): Promise<void>
  removeFile(fileId: string, options?: Cancellable): Promise<void>
  /** Cancels all running conversions, and deletes all uploads, conversions and batches of this account or guest. */
  removeAll(options?: Cancellable): Promise<void>
  /** Sends any other request of the API. The path has no leading slash, such as `api/users/me`. */
  request: Request
  /**
   * Returns the download URL of a result, or of the ZIP of a batch, under the root of this client; undefined before the
   * end.
   */
  downloadUrl(result: Pick<Conversion, 'outputUrl'>): string | undefined
}

export function createClient(connection: Connection, sizes: Partial<PartSizes> = {}): Client {
  const parts = { ...PART_SIZES, ...sizes }
  const request = createRequest(connection)
  const encode = encodeURIComponent

  const client: Client = {
    request,
    formats: async (options) => (await request<{ formats: Format[] }>('GET', 'api/formats', options)).formats,
    tools: async ({ category, from }, options) =>
      (
        await request<{ tools: Tool[] }>(
          'GET',
          `api/tools?category=${encode(category)}&from=${encode(from)}&limit=200`,
          options,
        )
      ).tools,

    async upload(file, name, options = {}) {
      if (file.size > parts.above) {
        // Most uploads are small. On the page, this part is loaded when it is needed.
        const { uploadInParts } = await import('./parts.ts')
        return uploadInParts(request, { file, name, size: parts.size }, options)
      }
      const form = new FormData()
      form.append('file', file, name)
      return request('POST', 'api/uploads', { form, ...options })
    },
    importUrl: (url, options) => request('POST', 'api/import/url', { body: { url }, ...options }),
    start: async (body, options) =>
      (await request<{ conversionId: string }>('POST', 'api/conversions', { body: withoutEmpty(body), ...options }))
        .conversionId,

    startBatch: (files, options) => {
      const body = { files: files.map(withoutEmpty), toFormat: files[0]?.toFormat }
      return request('POST', 'api/conversions/batch', { body, ...options })
    },
    batch: async (id, options) =>
      (await request<{ batch: Batch }>('GET', `api/conversions/batch/${encode(id)}`, options)).batch,

    zip: (conversionIds, options) => request('POST', 'api/conversions/zip', { body: { conversionIds }, ...options }),

    conversion: async (id, { wait = 0, ...options } = {}) =>
      (
        await request<{ conversion: Conversion }>(
          'GET',
          `api/conversions/${encode(id)}${wait ? `?wait=${wait}` : ''}`,
          options,
        )
      ).conversion,

    events: ({ signal }) =>
      streamEvents(
        new URL('api/events', String(connection.url).replace(/\/*$/, '/')),
        connection.headers ?? (() => ({})),
        signal,
        connection.onReach,
        connection.fetch,
      ),

    conversions: async ({ limit = 50, ...options } = {}) =>
      (await request<{ conversions: Conversion[] }>('GET', `api/conversions?limit=${limit}`, options)).conversions,
    source: async (id, options) =>
      (await request<{ file: Upload['file'] }>('GET', `api/conversions/${encode(id)}/source`, options)).file,
    remove: (id, options) => request('DELETE', `api/conversions/${encode(id)}`, options),
    removeFile: (fileId, options) => request('DELETE', `api/files/${encode(fileId)}`, options),
    removeAll: (options) => request('DELETE', 'api/files/all', options),

    downloadUrl({ outputUrl }) {
      if (!outputUrl) return undefined
      // Behind a proxy, the service may know itself by another host name.
      const { pathname, search } = new URL(outputUrl)
      const path = pathname.slice(pathname.lastIndexOf('/api/') + 1)
      return String(new URL(path + search, String(connection.url).replace(/\/*$/, '/')))
    },
  }
  return client
}

/** Omits empty options: they mean the same, and the request log is shorter. */
const withoutEmpty = <Request extends StartRequest>({ options, ...rest }: Request) =>
  options && Object.keys(options).length ? { ...rest, options: options satisfies Options } : rest
