import type { Conversion, Format, Options, StartRequest, Tool, Upload } from './records.ts'
import { type Connection, createRequest } from './request.ts'

export { AthanorError } from './error.ts'
export type {
  Conversion,
  Forbidden,
  Format,
  OptionSchema,
  Options,
  OptionsSchema,
  StartRequest,
  Tool,
  Upload,
} from './records.ts'
export type { Connection } from './request.ts'

interface Cancellable {
  signal?: AbortSignal
}

/** Seconds of one long poll. The service allows up to 30. */
const LONG_POLL = 25

/**
 * A client of the service. It runs in browsers, Node, Bun and Deno, without dependencies. It repeats only what is safe
 * to repeat, waits as `Retry-After` and `RateLimit` ask, and throws `AthanorError`.
 */
export interface Client {
  /** Every format, and what it can become. */
  formats(options?: Cancellable): Promise<Format[]>
  /** The pairs from a format into a category, with their options. */
  tools(query: { category: string; from: string }, options?: Cancellable): Promise<Tool[]>
  /** @param options.onSent Bytes sent so far, in browsers. */
  upload(file: Blob, name: string, options?: Cancellable & { onSent?: (bytes: number) => void }): Promise<Upload>
  /** Lets the service fetch a public file. */
  importUrl(url: string, options?: Cancellable): Promise<Upload>
  /** Starts a conversion and gives its id. */
  start(request: StartRequest, options?: Cancellable): Promise<string>
  /** @param options.wait Seconds, 0 to 30: answers at the end of the conversion, or after this time. */
  conversion(id: string, options?: Cancellable & { wait?: number }): Promise<Conversion>
  /** Waits for the end, however long it takes. A restart of the service in between does no harm. */
  done(id: string, options?: Cancellable & { onProgress?: (conversion: Conversion) => void }): Promise<Conversion>
  /** The newest conversions, at most `limit` (1 to 200). */
  conversions(options?: Cancellable & { limit?: number }): Promise<Conversion[]>
  /** Cancels a conversion, or deletes one that has ended with its result. */
  remove(id: string, options?: Cancellable): Promise<void>
  removeFile(fileId: string, options?: Cancellable): Promise<void>
  /** Where a result can be downloaded, under the root that this client uses; undefined before the end. */
  downloadUrl(conversion: Pick<Conversion, 'outputUrl'>): string | undefined
}

export function createClient(connection: Connection): Client {
  const request = createRequest(connection)
  const encode = encodeURIComponent

  const client: Client = {
    formats: async (options) => (await request('GET', 'api/formats', options)).formats,
    tools: async ({ category, from }, options) =>
      (await request('GET', `api/tools?category=${encode(category)}&from=${encode(from)}&limit=200`, options)).tools,

    upload(file, name, options) {
      const form = new FormData()
      form.append('file', file, name)
      return request('POST', 'api/uploads', { form, ...options })
    },
    importUrl: (url, options) => request('POST', 'api/import/url', { body: { url }, ...options }),
    start: async (body, options) =>
      (await request('POST', 'api/conversions', { body: withoutEmpty(body), ...options })).conversionId,

    conversion: async (id, { wait = 0, ...options } = {}) =>
      (await request('GET', `api/conversions/${encode(id)}${wait ? `?wait=${wait}` : ''}`, options)).conversion,

    async done(id, { onProgress, ...options } = {}) {
      for (;;) {
        const conversion = await client.conversion(id, { wait: onProgress ? 1 : LONG_POLL, ...options })
        onProgress?.(conversion)
        if (conversion.status === 'completed' || conversion.status === 'failed') return conversion
      }
    },

    conversions: async ({ limit = 50, ...options } = {}) =>
      (await request('GET', `api/conversions?limit=${limit}`, options)).conversions,
    remove: (id, options) => request('DELETE', `api/conversions/${encode(id)}`, options),
    removeFile: (fileId, options) => request('DELETE', `api/files/${encode(fileId)}`, options),

    downloadUrl({ outputUrl }) {
      if (!outputUrl) return undefined
      // The service may know itself by another name than the proxy that this client goes through.
      const { pathname, search } = new URL(outputUrl)
      const path = pathname.slice(pathname.lastIndexOf('/api/files/') + 1)
      return String(new URL(path + search, String(connection.url).replace(/\/*$/, '/')))
    },
  }
  return client
}

/** No options are the same as none, and shorter in the log of requests. */
const withoutEmpty = ({ options, ...rest }: StartRequest): StartRequest =>
  options && Object.keys(options).length ? { ...rest, options: options satisfies Options } : rest
