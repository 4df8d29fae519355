import { program } from '../../fixtures/program.ts'
import type { Bench } from '../../harness/studio.ts'
import { textOf } from '../../matrix/document/text.ts'

/** Conversions of content that a test states, and what their results say. */
export function reader({ convert, file }: Bench) {
  const made = async (content: string | Uint8Array, pair: string, options = {}) =>
    convert(await file(`source.${pair.split('>')[0]}`, content), pair, options)
  return {
    made,
    /** Converts, and returns the bytes of the result as text. */
    raw: async (...job: Parameters<typeof made>) => (await made(...job)).bytes.toString(),
    /** Converts, and returns the words of the result with single spaces, as another program reads them. */
    async said(content: string | Uint8Array, pair: string): Promise<string> {
      const { path } = await made(content, pair)
      return (await textOf(path, pair.split('>')[1]!)).replace(/\s+/g, ' ').trim()
    },
  }
}

/** Returns the metadata that exiftool finds, by tag. */
export async function facts(path: string): Promise<Record<string, string>> {
  const [found] = JSON.parse((await program('exiftool', '-j', '-a', '-api', 'struct=1', path)).toString())
  return found
}

/** Returns what a PDF says about itself, by the names of pdfinfo. */
export async function pdfFacts(path: string): Promise<Record<string, string>> {
  const text = (await program('pdfinfo', path)).toString()
  return Object.fromEntries([...text.matchAll(/^([\w ]+): *(.*)$/gm)].map(([, name, value]) => [name!, value!]))
}
