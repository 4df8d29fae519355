import { stat } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { type LoadedCatalogue, loadCatalogue } from '../../kernel/catalogue/load.ts'
import type { Pair } from '../../kernel/catalogue/pairs.ts'
import { createRecognise, createVerify } from '../../kernel/detection/recognise.ts'
import { type ConversionTask, type Converter, createConverter, type Made } from '../../kernel/jobs/converter.ts'
import { createLog } from '../../kernel/log.ts'
import { createSandboxes } from '../../kernel/sandbox/sandboxes.ts'
import { newFolder, removeFolder } from './folder.ts'
import { giveProbes, keepProbes } from './probes.ts'

/** The parts of the service that convert, without accounts, queue and HTTP. */
export interface Machine extends LoadedCatalogue, AsyncDisposable {
  converter: Converter
  /** Rejects if a result has not the expected format. */
  expect(made: Pick<Made, 'path' | 'paged'>, format: string): Promise<void>
  /** Returns the format of a file's content. The extension is a hint. */
  detect(path: string, extension: string): Promise<string | undefined>
}

/**
 * Starts catalogue, sandbox and converter with the default configuration, in a data folder that is removed with them.
 *
 * @param plugins Additional plugins by path, with their settings.
 */
export async function startMachine(plugins: Config['plugins'] = {}): Promise<Machine> {
  const dataDir = await newFolder()
  await giveProbes(dataDir)
  const defaults = loadConfig({ env: { DATA_DIR: dataDir }, argv: [] })
  // A process that a test uses is kept for its next conversion. A spare of every engine would cost each file more than
  // its tests.
  const warm = { ...defaults.warm, spares: 0 }
  const config = { ...defaults, warm, plugins: { ...defaults.plugins, ...plugins } }
  const sandboxes = await createSandboxes(config, createLog('error'))
  const loaded = await loadCatalogue(config, sandboxes.ask)
  await keepProbes(dataDir)
  const { catalogue, probes, options } = loaded
  const recognise = createRecognise(loaded)
  const verify = createVerify(recognise, catalogue)
  async function detect(path: string, extension: string) {
    const seen = await recognise(path, `file.${extension}`)
    return seen && 'extension' in seen ? seen.extension : undefined
  }
  return {
    ...loaded,
    converter: createConverter({ catalogue, probes, sandboxes, options, verify }),
    detect,
    async expect({ path, paged }, to) {
      const format = paged ? 'zip' : to
      if (!(await verify(path, format))) throw new Error(`the result is detected as ${await detect(path, format)}`)
    },
    async [Symbol.asyncDispose]() {
      await sandboxes.close()
      await removeFolder(dataDir)
    },
  }
}

/**
 * Converts a file by a pair. `png>png` optimises. Rejects as the converter does.
 *
 * @param given Options, besides the defaults of the pair.
 */
export async function convertFile(
  { converter, options }: Pick<Machine, 'converter' | 'options'>,
  source: string,
  pair: Pair,
  given: object = {},
  more: Partial<ConversionTask> = {},
): Promise<Made> {
  const intent = pair.from === pair.to ? 'transform' : 'convert'
  return converter.convert({
    owner: 'user_test',
    source,
    pair,
    intent,
    name: 'source',
    size: (await stat(source)).size,
    options: options.complete(pair.plugin, pair.to, intent, { ...given }),
    report: () => {},
    signal: AbortSignal.timeout(300_000),
    ...more,
  })
}
