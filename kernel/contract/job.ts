/** The purpose of a job: `convert` to another format, or `transform` within the same format. */
export type Intent = 'convert' | 'transform'

/** Options of a plugin that does not declare their type. */
// biome-ignore lint/suspicious/noExplicitAny: each plugin has its own; handlers of all plugins are kept in one list.
export type AnyOptions = any

/** One conversion, as a plugin sees it. All paths are paths inside the sandbox. */
export interface Job<Options extends object = AnyOptions> {
  readonly from: string
  readonly to: string
  /** The format of the client's file: on the last leg of a detour, not `from`. Default: `from`. */
  readonly origin?: string
  readonly intent: Intent
  /** The source, read-only: `/in/file.<from>`, or `/in/page-001.<from>` and so on for the pages of a detour. */
  readonly input: string
  /** Where the result must be at the end of the job: `/out/file.<to>`. */
  readonly output: string
  /**
   * Where a zip must be instead, if the target holds one page per file and there are several: `/out/pages.zip`. On the
   * first leg of a detour, the pattern of the files themselves: `/out/page-%03d.<to>`, numbered from 001.
   */
  readonly pages: string
  /** A folder on disk for intermediates, deleted with the job: `/scratch`. */
  readonly scratch: string
  /** Stem of the download's file name: 1 to 100 characters, without control characters and path separators. */
  readonly name: string
  /** Bytes of the source. */
  readonly size: number
  /** Validated, with defaults applied. */
  readonly options: Options
  readonly signal: AbortSignal
}

/** Command-line arguments. Falsy entries except 0 are dropped; nested lists are flattened. */
export type Args = readonly (string | number | false | null | undefined | Args)[]

/** Error code of a failed conversion, as the client gets it. */
export type FailureCode =
  | 'CONVERSION_ERROR'
  | 'TIMEOUT'
  | 'RESOURCE_LIMIT'
  | 'CANCELLED'
  | 'ENCRYPTED_INPUT'
  | 'INTERNAL_SERVER_ERROR'

/**
 * A failure with a specific code. An engine's `reason` may return it; a plugin's `convert` may throw an `Error` with
 * this `code`. The message is one sentence without paths.
 */
export interface Failure {
  code: FailureCode
  message: string
}
