import { withFolder } from '../../harness/folder.ts'
import type { Bench, Manner } from '../../harness/studio.ts'
import type { Book } from '../../matrix/book.ts'
import { readBook } from '../../matrix/read-book.ts'

/** Conversions of books, and what is in the results. */
export function reader({ convert, file, failure }: Bench) {
  const made = async (content: string | Uint8Array, pair: string, manner: Manner = {}) =>
    convert(await file(`source.${pair.split('>')[0]}`, content), pair, {}, manner)
  return {
    made,
    /** Converts, and returns the bytes of the result as text. */
    raw: async (content: string | Uint8Array, pair: string) => (await made(content, pair)).bytes.toString(),
    /** Converts, and reads the result by other programs than those that made it. */
    async book(content: string | Uint8Array, pair: string, manner: Manner = {}): Promise<Book> {
      const { path } = await made(content, pair, manner)
      return withFolder((folder) => readBook(path, pair.split('>')[1]!, folder))
    },
    /** Converts, and returns the code of the failure. */
    code: async (content: string | Uint8Array, pair: string) => (await failure(Buffer.from(content), pair)).code,
  }
}
