import { open } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Recogniser } from '../contract/format.ts'
import { callHook } from '../hooks.ts'
import { createDetect, type Detected } from './detect.ts'
import type { KnownFormat } from './hint.ts'
import { peekFile } from './source.ts'

/** Tells what a file on this machine is, by its content and a name. Undefined when nothing is recognised. */
export type Recognise = (path: string, name: string) => Promise<Detected | undefined>

/** Bytes that a format sees of a result. */
const HEAD = 65_536

/** Whether a file is of a format: by the format's own word about results, else by its content. */
export const createVerify =
  (recognise: Recognise, { known }: Recognisable['catalogue']) =>
  async (path: string, format: string): Promise<boolean> => {
    const holds = known.get(format)?.holds
    if (holds) return holds(await headOf(path))
    const seen = await recognise(path, `file.${format}`)
    return seen !== undefined && 'extension' in seen && seen.extension === format
  }

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
  return buffer.subarray(0, bytesRead)
}

interface Recognisable {
  catalogue: { readonly known: ReadonlyMap<string, KnownFormat> }
  /** The steps that tell the formats that ship from each other. */
  recognisers: readonly Recogniser[]
}

/**
 * Detection of the catalogue's formats: those from outside by what they say of themselves, the others by the steps. A
 * sniffer that breaks recognises nothing, and `log` hears of it.
 */
export function createRecognise(
  { catalogue: { known }, recognisers: steps }: Recognisable,
  log?: Pick<Logger, 'error'>,
): Recognise {
  const formats = [...known.values()]
  const foreign = formats.filter((format) => format.outside).map(guarded)
  const detect = createDetect({ formats, foreign, steps })
  return async (path, name) => {
    await using peek = await peekFile(path)
    // Not a bare return: the file must stay open until detection has looked.
    return await detect(peek, name)
  }

  function guarded(format: KnownFormat): KnownFormat {
    const { extension, category: plugin, sniff } = format
    if (!sniff) return format
    const guardedSniff = (head: Uint8Array): boolean => {
      try {
        return callHook({ plugin, hook: 'sniff' }, () => sniff(head)) === true
      } catch (err) {
        log?.error({ err, plugin, hook: 'sniff', format: extension }, 'a format is not recognised')
        return false
      }
    }
    return { ...format, sniff: guardedSniff }
  }
}
