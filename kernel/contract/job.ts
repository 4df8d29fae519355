/** What a job asks for: another format, or the same format made better. */
export type Intent = 'convert' | 'transform'

/** One conversion, as a plugin sees it. All paths are the sandbox's own. */
export interface Job<Options extends object = any> {
  readonly from: string
  readonly to: string
  readonly intent: Intent
  /** The source, read-only: `/in/file.<from>`. */
  readonly input: string
  /** Where the result must be when the job ends: `/out/file.<to>`. */
  readonly output: string
  /** Where a zip of pages must be instead, when one page a file gave more than one: `/out/pages.zip`. */
  readonly pages: string
  /** A folder on disk for intermediates, deleted with the job: `/scratch`. */
  readonly scratch: string
  /** Stem of the download's name: 1 to 100 characters, without control characters and path separators. */
  readonly name: string
  /** Bytes of the source. */
  readonly size: number
  /** Validated, with defaults applied. */
  readonly options: Options
  readonly signal: AbortSignal
}

/** Command-line arguments. Falsy entries but 0 are dropped, nested lists are spliced. */
export type Args = readonly (string | number | false | null | undefined | Args)[]

/** Why a conversion ended without a result, as a client reads it. */
export type FailureCode =
  | 'CONVERSION_ERROR'
  | 'TIMEOUT'
  | 'RESOURCE_LIMIT'
  | 'CANCELLED'
  | 'ENCRYPTED_INPUT'
  | 'INTERNAL_SERVER_ERROR'

/**
 * A failure that is worth telling apart. An engine's `reason` returns it; a plugin's `convert` may throw an
 * `Error` with this `code`. The message is one sentence without paths.
 */
export interface Failure {
  code: FailureCode
  message: string
}
