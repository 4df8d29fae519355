import { withFolder } from '../harness/folder.ts'
import type { Bench, Manner } from '../harness/studio.ts'
import type { Book } from '../matrix/book.ts'
import { textOf } from '../matrix/document/text.ts'
import { readBook } from '../matrix/read-book.ts'

/** Conversions of content that a test states, and what other programs read in the results. */
export function reader({ convert, file, failure }: Bench) {
  const made = async (content: string | Uint8Array, pair: string, options: object = {}, manner: Manner = {}) =>
    convert(await file(`source.${pair.split('>')[0]}`, content), pair, options, manner)
  type Job = Parameters<typeof made>
  return {
    made,
    /** Converts, and returns the bytes of the result as text. */
    raw: async (...job: Job) => (await made(...job)).bytes.toString(),
    /** Converts, and returns the words of the result with single spaces. */
    async said(content: string | Uint8Array, pair: string): Promise<string> {
      const { path } = await made(content, pair)
      return (await textOf(path, pair.split('>')[1]!)).replace(/\s+/g, ' ').trim()
    },
    /** Converts, and reads the book that results. */
    async book(content: string | Uint8Array, pair: string, manner: Manner = {}): Promise<Book> {
      const { path } = await made(content, pair, {}, manner)
      return withFolder((folder) => readBook(path, pair.split('>')[1]!, folder))
    },
    /** Converts, and returns the code of the failure. */
    code: async (content: string | Uint8Array, pair: string, options: object = {}) =>
      (await failure(Buffer.from(content), pair, options)).code,
  }
}
