import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { StartError } from '../../../errors.ts'
import { AREAS, isMade } from '../keys.ts'
import type { ListedFile, Listing } from '../listed-file.ts'
import { type Bucket, createS3Client, isMissing, reasonOf, TIMEOUTS } from './client.ts'

/** Lists the files of a bucket. Its methods throw StartError if the server does not do what it is asked. */
export function listBucket(place: Bucket): Listing {
  const { bucket: Bucket, prefix } = place
  const client = createS3Client(place, TIMEOUTS)

  async function* pages(): AsyncGenerator<ListedFile[]> {
    for (const area of AREAS) {
      const lists = paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}${area}/` })
      for await (const { Contents = [] } of lists) {
        const files = Contents.map(({ Key, Size, LastModified }) => {
          // biome-ignore lint/style/noNonNullAssertion: servers send all three of each object.
          return { key: Key!.slice(prefix.length), size: Size!, storedAt: LastModified!.getTime() }
        })
        yield files.filter(({ key }) => isMade(key))
      }
    }
  }

  return {
    async *pages() {
      try {
        yield* pages()
      } catch (error) {
        throw refused('list its files', error)
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key })).catch((error) => {
        if (!isMissing(error)) throw refused('remove a file', error)
      })
    },
    [Symbol.dispose]: () => client.destroy(),
  }
}

const refused = (what: string, cause: unknown) =>
  new StartError(`STORAGE_URL: the server does not ${what} (${reasonOf(cause)}).`, { cause })
