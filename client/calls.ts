import type { Result } from './result.ts'
import type { Source } from './source.ts'

/** Where the service is, and who asks. Without a credential: a guest. */
export interface Settings {
  /** Base URL of the service. It may have a path, for a proxy that serves the service under a prefix. */
  url: string | URL
  apiKey?: string
  /** The token of a session, instead of an API key. */
  token?: string
  /** The team for which all requests are. */
  team?: string
  /** Sends the requests. Default: that of the platform. */
  fetch?: typeof fetch
  /** Bytes above which a file is uploaded in parts. Default: 20 MB. */
  partsAbove?: number
  /** Milliseconds for the waits and retries of one request, in all. Default: two minutes. */
  patience?: number
}

/** What a conversion is doing. `percent` is that of the phase, 0 to 100. */
export interface Progress {
  phase: 'upload' | 'queued' | 'processing'
  percent: number
}

/** What every call takes beside the options of the target. */
export interface Call {
  /** Cancels the call, and the conversion with it. */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Name of the file. It names the result, and the format if the content cannot. */
  fileName?: string
  /** Format of the file, if not the detected one. */
  fromFormat?: string
  /** `transform` makes a file smaller without changing its format. */
  jobIntent?: 'convert' | 'transform'
  /** Makes the call safe to repeat. Default: a new one for each call. */
  idempotencyKey?: string
}

/** A conversion that was started. */
export interface Job {
  id: string
  /** Waits for the end, also over a restart of the service. @throws ConversionError if it failed, AthanorError. */
  done(call?: Pick<Call, 'signal' | 'onProgress'>): Promise<Result>
  /** Cancels it, or deletes its result. */
  remove(): Promise<void>
}

/** One of several conversions: its result, or why there is none. */
export type Outcome = { source: Source; result: Result } | { source: Source; error: unknown }
