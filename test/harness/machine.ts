import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { type LoadedCatalogue, loadCatalogue } from '../../kernel/catalogue/load.ts'
import { createRecognise, createVerify } from '../../kernel/detection/recognise.ts'
import { type Converter, createConverter } from '../../kernel/jobs/converter.ts'
import { createLog } from '../../kernel/log.ts'
import { createSandboxes } from '../../kernel/sandbox/sandbox.ts'
import { newFolder, removeFolder } from './folder.ts'
import { giveProbes, keepProbes } from './probes.ts'

/** The parts of the service that convert, without accounts, queue and HTTP. */
export interface Machine extends LoadedCatalogue, AsyncDisposable {
  converter: Converter
  /** Whether a result has the expected format. */
  verify(path: string, format: string): Promise<boolean>
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
  return {
    ...loaded,
    converter: createConverter({ catalogue, probes, sandboxes, options, verify }),
    verify,
    async detect(path, extension) {
      const seen = await recognise(path, `file.${extension}`)
      return seen && 'extension' in seen ? seen.extension : undefined
    },
    async [Symbol.asyncDispose]() {
      await sandboxes.close()
      await removeFolder(dataDir)
    },
  }
}
