import type { Call, Job, Outcome, Settings } from './calls.ts'
import { type Client, createClient } from './client.ts'
import { createDone, type Done } from './done.ts'
import { ConversionError } from './error.ts'
import type { OptionsOf, Target } from './options.ts'
import type { Conversion, Format, Upload } from './records.ts'
import { Result, saveFrom } from './result.ts'
import { openSource, type Source } from './source.ts'

export type { Call, Job, Outcome, Progress, Settings } from './calls.ts'
export { AthanorError, ConversionError } from './error.ts'
export type * from './options.ts'
export type { Conversion, Format, Upload } from './records.ts'
export { Result } from './result.ts'
export type { Source } from './source.ts'
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './verify-webhook.ts'

/** A client of an Athanor service, for browsers, Node, Bun and Deno. */
export class Athanor {
  /** Single requests of the API. */
  readonly client: Client

  readonly #fetch: typeof fetch | undefined
  readonly #done: Done

  constructor({ url, apiKey, token, team, fetch, partsAbove, patience }: Settings) {
    const headers = {
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(team !== undefined && { 'x-team-id': team }),
    }
    this.client = createClient(
      { url, headers: () => headers, ...given({ fetch, patience }) },
      given({ above: partsAbove }),
    )
    this.#fetch = fetch
    this.#done = createDone(this.client)
  }

  /** Converts a file. @throws ConversionError if it failed; AthanorError if the service refused or was not reached. */
  async convert<const To extends Target | (string & {})>(
    source: Source,
    to: To,
    options: OptionsOf<To> & Call = {} as never,
  ): Promise<Result> {
    const { signal, onProgress, fileName } = options as Call
    const upload = await this.upload(source, given({ signal, onProgress, fileName }))
    const job = await this.start(upload, to, options)
    return job.done(given({ signal, onProgress }))
  }

  /**
   * Converts files, several at a time. Yields outcomes as they complete; one that fails does not stop the others.
   * @param options.concurrency At the same time. Default: 4.
   */
  async *convertAll<const To extends Target | (string & {})>(
    sources: Iterable<Source> | AsyncIterable<Source>,
    to: To,
    options: OptionsOf<To> & Omit<Call, 'idempotencyKey' | 'fileName'> & { concurrency?: number } = {} as never,
  ): AsyncGenerator<Outcome, void> {
    const { concurrency = 4, ...rest } = options as Call & { concurrency?: number }
    const running = new Map<number, Promise<{ index: number; outcome: Outcome }>>()
    let count = 0
    const first = async () => {
      const { index, outcome } = await Promise.race(running.values())
      running.delete(index)
      return outcome
    }
    for await (const source of sources) {
      const index = count++
      const work = this.convert(source, to, rest as OptionsOf<To> & Call).then(
        (result) => ({ index, outcome: { source, result } }),
        (error: unknown) => ({ index, outcome: { source, error } }),
      )
      running.set(index, work)
      if (running.size >= concurrency) yield await first()
    }
    while (running.size > 0) yield await first()
  }

  /** Uploads a file, in parts above 20 MB; or lets the service get it from a URL. */
  async upload(
    source: Source,
    { signal, onProgress, fileName, idempotencyKey = newKey() }: Omit<Call, 'fromFormat' | 'jobIntent'> = {},
  ): Promise<Upload> {
    const open = await openSource(source, fileName)
    const keyed = { key: idempotencyKey, ...given({ signal }) }
    if ('url' in open) return this.client.importUrl(open.url, keyed)
    const { file, name } = open
    const onSent = onProgress && ((bytes: number) => onProgress({ phase: 'upload', percent: share(bytes, file.size) }))
    const upload = await this.client.upload(file, name, { ...keyed, ...given({ onSent }) })
    onProgress?.({ phase: 'upload', percent: 100 })
    return upload
  }

  /** Starts a conversion. */
  async start<const To extends Target | (string & {})>(
    upload: Upload | string,
    to: To,
    options: OptionsOf<To> & Call = {} as never,
  ): Promise<Job> {
    const {
      signal,
      onProgress: _,
      fileName,
      fromFormat,
      jobIntent,
      idempotencyKey = newKey(),
      ...rest
    } = options as Call
    const fileId = typeof upload === 'string' ? upload : upload.file.fileId
    const request = { fileId, toFormat: to, options: rest as never, ...given({ fileName, fromFormat, jobIntent }) }
    const id = await this.client.start(request, { key: idempotencyKey, finish: true, ...given({ signal }) })
    if (signal?.aborted) await this.client.remove(id).catch(() => {})
    signal?.throwIfAborted()
    return this.job(id)
  }

  /** The result of a completed conversion. @throws ConversionError if it has none. */
  result(conversion: Conversion, signal?: AbortSignal): Result {
    const url = this.client.downloadUrl(conversion)
    if (!url) throw new ConversionError(conversion)
    return new Result(conversion, { url, ...given({ signal, fetch: this.#fetch }) })
  }

  /** A conversion by its id, such as one that an earlier process has started. */
  job(id: string): Job {
    const client = this.client
    const result = (conversion: Conversion, signal?: AbortSignal) => this.result(conversion, signal)
    const ended = this.#done
    return {
      id,
      remove: () => client.remove(id),
      async done({ signal, onProgress } = {}) {
        const tell = ({ status, progress }: Conversion) =>
          onProgress?.({ phase: status === 'queued' ? 'queued' : 'processing', percent: progress })
        const follow = onProgress ? { onProgress: tell } : {}
        try {
          const conversion = await ended(id, { ...given({ signal }), ...follow })
          return result(conversion, signal)
        } catch (error) {
          // Who gives up wants no result any more.
          if (signal?.aborted) await client.remove(id).catch(() => {})
          throw error
        }
      },
    }
  }

  /** Lists conversions, newest first. */
  async *conversions({
    status,
    signal,
  }: {
    status?: Conversion['status']
    signal?: AbortSignal
  } = {}): AsyncGenerator<Conversion, void> {
    for (let cursor = ''; ; ) {
      const query = new URLSearchParams({ limit: '200', ...(status && { status }), ...(cursor && { cursor }) })
      type Page = { conversions: Conversion[]; nextCursor: string | null }
      const page = await this.client.request<Page>('GET', `api/conversions?${query}`, given({ signal }))
      yield* page.conversions
      if (!page.nextCursor) return
      cursor = page.nextCursor
    }
  }

  /** The results of ended conversions as one ZIP. */
  batch(ids: readonly string[]): {
    zip(path: string, call?: Pick<Call, 'signal'>): Promise<{ missing: readonly string[] }>
  } {
    const client = this.client
    const fetch = this.#fetch
    return {
      async zip(path, { signal } = {}) {
        const { outputUrl, missing } = await client.zip(ids, given({ signal }))
        const url = client.downloadUrl({ outputUrl }) ?? outputUrl
        await saveFrom({ url, ...given({ signal, fetch }) }, path)
        return { missing }
      },
    }
  }

  /** Lists all formats and their targets. */
  formats(call: Pick<Call, 'signal'> = {}): Promise<Format[]> {
    return this.client.formats(call)
  }
}

const share = (part: number, whole: number) => Math.min(100, Math.floor((100 * part) / Math.max(1, whole)))

/** A key that nobody else has. Pages on plain HTTP have no `randomUUID`. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Leaves out what is undefined. */
function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
