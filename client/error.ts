import type { Conversion } from './records.ts'

/** An error answer of the service, or a request that did not reach it. */
export class AthanorError extends Error {
  override name = 'AthanorError'
  /** Error code of the API, such as `FILE_TOO_LARGE`; `NETWORK` if there was no answer. */
  readonly code: string
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /** `X-Request-Id` of the answer: quote it when you report a problem. */
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed, if the service said so. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    details: { code: string; status: number; requestId?: string; retryAfter?: number },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}

/** Returns the error of a request without an answer. */
export const networkError = (cause?: unknown) =>
  new AthanorError('The service cannot be reached', { code: 'NETWORK', status: 0 }, { cause })

/** An error of a conversion that ran and failed. */
export class ConversionError extends AthanorError {
  override name = 'ConversionError'
  readonly conversion: Conversion

  constructor(conversion: Conversion) {
    const { code, message } = conversion.error ?? { code: 'INTERNAL_SERVER_ERROR', message: 'The conversion failed' }
    super(message, { code, status: 0 })
    this.conversion = conversion
  }
}
