import { open } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Detected, detect, peekFile } from '../detection/detect.ts'
import { callHook } from '../hooks.ts'

/** Tells what a file on this machine is, by its content and a name. Undefined when nothing is recognised. */
export type Recognise = (path: string, name: string) => Promise<Detected | undefined>

/**
 * Whether a file is of a format by its content. A zip is one whatever lies in it: the unpacked parts of a book, packed
 * again, are detected as that book.
 */
export const createVerify =
  (recognise: Recognise) =>
  async (path: string, format: string): Promise<boolean> => {
    if (format === 'zip') return isZip(path)
    const seen = await recognise(path, `file.${format}`)
    return seen !== undefined && 'extension' in seen && seen.extension === format
  }

/** By the mark of its first entry, or of its end when it is empty. */
async function isZip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
  return /^PK(\x03\x04|\x05\x06)/.test(buffer.toString('latin1'))
}

/** Detection with the sniffers of the catalogue's formats. One that breaks recognises nothing, and `log` hears of it. */
export function createRecognise({ known }: Pick<Catalogue, 'known'>, log?: Pick<Logger, 'error'>): Recognise {
  const own = [...known.values()].filter((format) => format.sniff)
  const sniffers = new Map(
    own.map(({ extension, category, sniff }) => [extension, guarded(extension, category, sniff!)]),
  )
  return async (path, name) => {
    await using peek = await peekFile(path)
    // Not a bare return: the file must stay open until detection has looked.
    return await detect(peek, name, { sniffers })
  }

  function guarded(format: string, plugin: string, sniff: (head: Uint8Array) => boolean) {
    return (head: Uint8Array): boolean => {
      try {
        return callHook({ plugin, hook: 'sniff' }, () => sniff(head)) === true
      } catch (err) {
        log?.error({ err, plugin, hook: 'sniff', format }, 'a format is not recognised')
        return false
      }
    }
  }
}
