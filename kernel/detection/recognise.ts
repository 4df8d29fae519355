import { open } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Recogniser } from '../contract/format.ts'
import { callHook } from '../hooks.ts'
import { createDetect, type Detected } from './detect.ts'
import type { KnownFormat } from './hint.ts'
import { peekFile } from './source.ts'

/** Detects the format of a local file by its content and a name. Resolves to undefined if it detects none. */
export type Recognise = (path: string, name: string) => Promise<Detected | undefined>

/** Bytes of a result that a format's `holds` receives. */
const HEAD = 65_536

/** Makes a function that checks whether a file has a format: by the format's own `holds`, else by detection. */
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
  /** Steps that distinguish the built-in formats. */
  recognisers: readonly Recogniser[]
}

/**
 * Makes the detection of the catalogue's formats: external formats by what they declare, the others by the steps. If a
 * sniffer fails, it recognises nothing, and `log` receives the error.
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
    // Not a bare return: the file must stay open until detection is done.
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
