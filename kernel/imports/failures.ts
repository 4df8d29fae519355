import { ServiceError } from '../errors.ts'

/** Error for a URL that imports refuse to open. @param field The field that contains the URL. */
export const urlNotAllowed = (field: string, why: string) =>
  new ServiceError('URL_NOT_ALLOWED', `${field} ${why}; it must be an http or https URL of a public server`)

/** Error for a remote server that does not deliver the file. */
export const importFailed = (message: string, cause?: unknown) => new ServiceError('IMPORT_FAILED', message, { cause })

/** Error for an answer that does not arrive to its end: the cause itself, if it says why. @param who Display name. */
export const brokenOff = (who: string, cause: unknown) =>
  cause instanceof ServiceError
    ? cause
    : importFailed(`${who} closed the connection before the end of its answer`, cause)
