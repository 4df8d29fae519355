import type { FailureCode } from './contract.ts'

/** HTTP status of every error code. */
export const STATUS = {
  BAD_REQUEST: 400,
  BATCH_TOO_LARGE: 400,
  SAME_FORMAT_NOOP: 400,
  UNSUPPORTED_FORMAT: 400,
  INVALID_OPTIONS: 400,
  UNKNOWN_OPTION: 400,
  OPTION_NOT_APPLICABLE: 400,
  URL_NOT_ALLOWED: 400,
  INVALID_TOKEN: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  EMAIL_TAKEN: 409,
  OFFSET_MISMATCH: 409,
  CANCELLED: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  PRECONDITION_FAILED: 412,
  FILE_TOO_LARGE: 413,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  MISDIRECTED_REQUEST: 421,
  ENCRYPTED_INPUT: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RESOURCE_LIMIT: 422,
  HTTPS_REQUIRED: 426,
  QUOTA_EXCEEDED: 429,
  QUEUE_FULL_USER: 429,
  RATE_LIMITED: 429,
  REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
  CHECKSUM_MISMATCH: 460,
  CONVERSION_ERROR: 500,
  INTERNAL_SERVER_ERROR: 500,
  IMPORT_FAILED: 502,
  QUEUE_FULL_GLOBAL: 503,
  MAINTENANCE_MODE: 503,
  NOT_READY: 503,
  STORAGE_FULL: 503,
  SHUTTING_DOWN: 503,
  TIMEOUT: 504,
} as const

export type Code = keyof typeof STATUS

/** An error that is shown to the client. Any other error becomes `INTERNAL_SERVER_ERROR`. */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly code: Code
  readonly status: number
  /** Seconds that the client should wait before it retries. */
  readonly retryAfter: number | undefined

  constructor(code: Code, message: string, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options)
    this.code = code
    this.status = STATUS[code]
    this.retryAfter = options.retryAfter
  }
}

/** Each failure of a conversion, and whether it is charged: it used up the time, memory or space that it was given. */
const CHARGED_BY_CODE: Readonly<Record<FailureCode, boolean>> = {
  CONVERSION_ERROR: false,
  TIMEOUT: true,
  RESOURCE_LIMIT: true,
  CANCELLED: false,
  ENCRYPTED_INPUT: false,
  INTERNAL_SERVER_ERROR: false,
}

/** Every code of a failed conversion. */
export const FAILURE_CODES = Object.keys(CHARGED_BY_CODE) as readonly FailureCode[]

/** Whether a value of a plugin is such a code. */
export const isFailureCode = (value: unknown): value is FailureCode => FAILURE_CODES.includes(value as FailureCode)

/** Why a conversion failed. `CONVERSION_ERROR` means that an engine refused the file; another engine may accept it. */
export class ConversionFailure extends Error {
  override name = 'ConversionFailure'
  readonly code: FailureCode
  /** Whether the conversion counts towards the quota: it has used up what it was given. */
  readonly charged: boolean

  /** @param options `charged`: by default, what its code says. */
  constructor(code: FailureCode, message: string, options: ErrorOptions & { charged?: boolean } = {}) {
    super(message, options)
    this.code = code
    this.charged = options.charged ?? CHARGED_BY_CODE[code]
  }
}

/** Error for a credential that does not work. */
export const unauthorized = () =>
  new ServiceError('UNAUTHORIZED', 'The API key or session token is missing, invalid or expired')

/** Error for a request that does not fit on the disk. */
export const storageFull = (cause?: unknown) =>
  new ServiceError('STORAGE_FULL', 'The storage is full; try again later', { retryAfter: 60, cause })

/** Error for a request that needs a storage server or a shared folder that does not answer. */
export const storageAway = (cause?: unknown) =>
  new ServiceError('NOT_READY', 'The storage does not answer now; try again soon', { retryAfter: 5, cause })

/** Error for an upload or an import over the plan's limit. @param max Bytes. */
export const fileTooLarge = (max: number) =>
  new ServiceError('FILE_TOO_LARGE', `The file is larger than the ${max / 1e6} MB that your plan allows`)

/** Failure of a conversion that does not fit on the disk. It is not charged: the service has too little space. */
export const noRoom = (cause?: unknown) =>
  new ConversionFailure(
    'RESOURCE_LIMIT',
    'The storage is full: the conversion could not be finished; try again later',
    {
      cause,
      charged: false,
    },
  )

/** Failure of a conversion whose result is over the plan's limit. @param max Bytes. */
export const tooLargeResult = (max: number) =>
  new ConversionFailure('RESOURCE_LIMIT', `The result would be larger than the ${max / 1e6} MB that your plan allows`)

/** The configuration or the machine does not allow a start. The message is for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}

/** A server that the service needs does not answer now. A start waits for it; commands refuse. */
export class ServerAway extends StartError {}

/** Whether an error means that the disk, the disk quota or the SQLite database is full. */
export const isFull = (error: unknown) => FULL.has((error as NodeJS.ErrnoException | undefined)?.code)

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])
