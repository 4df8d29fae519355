import type { BatchFile, StartRequest } from '../../client/client.ts'
import type { Item } from '../state/item.ts'

/** The entry of a file in the request of a batch. */
export function batchFileOf({ name, folder, upload, to, options }: Item): BatchFile {
  const { fileId, size, format } = upload!.file
  const jobIntent = format === to ? 'transform' : 'convert'
  const file = {
    fileId,
    fileName: name,
    fileSize: size,
    fromFormat: format,
    toFormat: to!,
    jobIntent,
    options,
  } as const
  return folder ? { ...file, path: `${folder}/${name}` } : file
}

/** The request that starts a file of a batch as a single conversion. */
export const startRequestOf = ({ fileId, fileName, toFormat, jobIntent, options }: BatchFile): StartRequest => ({
  fileId,
  fileName,
  toFormat,
  ...(jobIntent && { jobIntent }),
  ...(options && { options }),
})
