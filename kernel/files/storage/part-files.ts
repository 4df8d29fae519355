import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { asServiceError } from './incoming.ts'
import { type Parts, PartsLost } from './parts.ts'
import type { Storage } from './storage.ts'

/** Bytes that a body may bring before they are counted. A killed service loses them. */
const MAX_UNCOUNTED = 8 * 1024 ** 2

/**
 * Keeps each upload in one file that grows, for the only node: the complete file becomes the stored one by a link.
 * Objects would have to be copied together (part-objects.ts), which costs half of the throughput of a large upload.
 *
 * @param folder On a disk of this machine. It is created if it is missing.
 */
export async function openPartFiles(folder: string, { adopt }: Pick<Storage, 'adopt'>): Promise<Parts> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pathOf = (upload: string) => join(folder, upload)

  return {
    async append(body, { upload, start, whole, count }) {
      await using file = await open(pathOf(upload), 'a', 0o600)
      if ((await file.stat()).size < start) throw new PartsLost()
      // An earlier body may have left bytes that do not count.
      await file.truncate(start)
      let end = start
      let counted = start
      try {
        for await (const chunk of body) {
          await file.appendFile(chunk)
          end += chunk.length
          if (end - counted < MAX_UNCOUNTED) continue
          await count(end, false)
          counted = end
        }
        await count(end, true)
      } catch (error) {
        if (whole) await file.truncate(start)
        else if (end > counted) await count(end, false)
        throw asServiceError(error)
      }
    },

    async join(upload, size) {
      const staged = await adopt(pathOf(upload)).catch((error) => {
        throw error.code === 'ENOENT' ? new PartsLost() : error
      })
      if (staged.size === size) return staged
      await staged.discard()
      throw new PartsLost()
    },

    remove: (upload) => rm(pathOf(upload), { force: true }),
  }
}
