import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ConversionTask } from '../../../kernel/conversions/converter.ts'
import type { ArchiveOptions } from '../../../plugins/archive/options.ts'
import { withFolder } from '../../harness/folder.ts'
import { startMachine } from '../../harness/machine.ts'

/** The archive plugin in the real sandbox, with the real catalogue and converter. */
export async function studio() {
  const machine = await startMachine()

  /** Converts, or optimises if `to` is `from`. Rejects with ConversionFailure. */
  const convert = (
    source: Buffer | string,
    from: string,
    to: string,
    given: ArchiveOptions = {},
    name = 'picture',
    told?: ConversionTask['told'],
  ) =>
    withFolder(async (folder) => {
      const path = typeof source === 'string' ? source : join(folder, `source.${from}`)
      if (typeof source !== 'string') await writeFile(path, source)
      const intent = from === to ? 'transform' : 'convert'
      const pair = machine.catalogue.pairs.get(`${from}>${to}`)
      if (!pair) throw new Error(`no way from ${from} to ${to}`)
      await using made = await machine.converter.convert({
        ...{ owner: 'user_studio', source: path, pair, intent, name, report: () => {}, told },
        options: machine.options.complete(pair.plugin, to, intent, { ...given }),
        size: (await stat(path)).size,
        signal: AbortSignal.timeout(120_000),
      })
      // Awaited, because the result must exist until it is read.
      return await readFile(made.path)
    })

  return {
    convert,
    /** Returns the failure of a conversion, or that it does not fail. */
    failure: (source: Buffer | string, from: string, to = 'zip', name?: string) =>
      convert(source, from, to, {}, name).then(
        (bytes) => ({ code: `made ${bytes.length} bytes`, message: '' }),
        ({ code, message }: { code: string; message: string }) => ({ code, message }),
      ),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  }
}

const corpus = resolve(process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../../shared/corpus'))

/** Returns the path of a real file of the corpus, if it exists. */
export const real = (name: string) => join(corpus, 'video-audio-archive', name)
