import { ServiceError } from '../../../errors.ts'

export const noSuchUpload = () =>
  new ServiceError('NOT_FOUND', 'There is no such upload: it does not exist, has expired or was removed')

export const notComplete = () =>
  new ServiceError('NOT_FOUND', 'The upload is not complete: HEAD shows its Upload-Offset')

export const emptyFile = () => new ServiceError('BAD_REQUEST', 'Upload-Length: the file must not be empty')

export const checksumMismatch = () =>
  new ServiceError('CHECKSUM_MISMATCH', 'Upload-Checksum: the body has another checksum; send this part again')

export const offsetMismatch = () =>
  new ServiceError('OFFSET_MISMATCH', 'Upload-Offset is not where the upload ends; HEAD shows where it does')

/** Another request holds the upload, and does not end soon. */
export const busy = () =>
  new ServiceError('NOT_READY', 'Another request works on this upload; try again soon', { retryAfter: 3 })

/** Unfinished uploads that an owner can have. Each is a file and a record, also if nothing of it has arrived. */
const MAX_UNFINISHED = 100

/**
 * @param expiries When each of the owner's unfinished uploads expires.
 * @throws ServiceError QUOTA_EXCEEDED for one more.
 */
export function requireFew(expiries: readonly number[]): void {
  if (expiries.length < MAX_UNFINISHED) return
  const message = `At most ${MAX_UNFINISHED} unfinished uploads are allowed; finish one, or give one up with DELETE`
  const first = Math.min(...expiries)
  throw new ServiceError('QUOTA_EXCEEDED', message, { retryAfter: (first - Date.now()) / 1000 })
}
