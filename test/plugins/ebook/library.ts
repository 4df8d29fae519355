import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../../config/load.ts'
import { createCatalogue } from '../../../kernel/catalogue/catalogue.ts'
import { enginesOf } from '../../../kernel/catalogue/loader.ts'
import { createOptionsValidator } from '../../../kernel/catalogue/options.ts'
import { probeEngines } from '../../../kernel/catalogue/probe.ts'
import { createConverter } from '../../../kernel/conversions/converter.ts'
import { createLog } from '../../../kernel/log.ts'
import { createSandboxes } from '../../../kernel/sandbox/sandbox.ts'
import { pluginNamed } from '../../fixtures/plugin.ts'
import { withFolder } from '../../harness/folder.ts'
import type { Book } from '../../matrix/book.ts'
import { readBook } from '../../matrix/read-book.ts'

const [document, ebook] = [await pluginNamed('document'), await pluginNamed('ebook')]

/** The ebook plugin in the real sandbox, with the real catalogue and converter. */
export async function library() {
  const dataDir = await mkdtemp(join(tmpdir(), 'library-'))
  await chmod(dataDir, 0o711)
  const config = loadConfig({ env: { DATA_DIR: dataDir }, argv: [] })
  const sandboxes = await createSandboxes(config, createLog('error'))
  const probes = await probeEngines(enginesOf([ebook]), dataDir, sandboxes.ask)
  const catalogue = createCatalogue(
    [
      { plugin: ebook, state: 'open' },
      { plugin: document, state: 'facts' },
    ],
    probes,
  )
  const options = createOptionsValidator([ebook])
  const converter = createConverter({ catalogue, probes, sandboxes, options, verify: async () => true })

  /** Converts, or optimises if `to` is `from`. Rejects with ConversionFailure. */
  async function convert(
    source: Buffer | string,
    from: string,
    to: string,
    { name = 'A name', report = (_: number) => {}, signal = AbortSignal.timeout(300_000) } = {},
  ): Promise<Buffer> {
    const path = join(dataDir, `source-${Math.random()}.${from}`)
    await writeFile(path, source)
    await chmod(path, 0o644)
    const pair = catalogue.pairs.get(`${from}>${to}`)
    if (!pair) throw new Error(`no way from ${from} to ${to}`)
    await using made = await converter.convert({
      ...{ owner: 'user_library', source: path, pair, options: {}, name, signal, report },
      intent: from === to ? 'transform' : 'convert',
      size: (await stat(path)).size,
    })
    return await readFile(made.path)
  }

  return {
    convert,
    catalogue,
    async [Symbol.asyncDispose]() {
      await sandboxes.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Reads the content of a book with other programs than those that made it. */
export const read = (bytes: Buffer, format: string): Promise<Book> =>
  withFolder(async (folder) => {
    const path = join(folder, `it.${format}`)
    await writeFile(path, bytes)
    return readBook(path, format, folder)
  })
