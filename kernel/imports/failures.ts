import { ServiceError } from '../errors.ts'

/** The client named a place that imports do not go to. @param field What named it. */
export const urlNotAllowed = (field: string, why: string) =>
  new ServiceError('URL_NOT_ALLOWED', `${field} ${why}; it must be an http or https URL of a public server`)

/** The far side did not give the file. */
export const importFailed = (message: string, cause?: unknown) => new ServiceError('IMPORT_FAILED', message, { cause })

/** The far side answered something else than the file. */
export const unexpectedStatus = (status: number) => importFailed(`The server answered ${status}, not 200`)
