import type { Logger } from 'pino'
import type { Recogniser } from '../contract/format.ts'
import { callHook } from '../hooks.ts'
import { createDetect, type Detected } from './detect.ts'
import type { KnownFormat } from './hint.ts'
import { HEAD, peekFile } from './source.ts'

/** Detects the format of a local file by its content and a name. Resolves to undefined if it detects none. */
export type Recognise = (path: string, name: string) => Promise<Detected | undefined>

/** Makes a function that checks whether a file has a format: by the format's own `holds`, else by detection. */
export const createVerify =
  (recognise: Recognise, { known }: Recognisable['catalogue']) =>
  async (path: string, format: string): Promise<boolean> => {
    const holds = known.get(format)?.holds
    if (holds) {
      await using peek = await peekFile(path)
      return holds(Buffer.from(await peek.read(0, HEAD)))
    }
    const seen = await recognise(path, `file.${format}`)
    return seen !== undefined && 'extension' in seen && seen.extension === format
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
