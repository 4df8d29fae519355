import type { Config } from '../../config/config.ts'
import type { Engine, Recogniser } from '../contract.ts'
import type { Ask } from '../sandbox/ask.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { type LoadedPlugin, loadPlugins, loadRecognisers } from './loader.ts'
import { enginesOf } from './manifest/route.ts'
import { checkNames } from './names.ts'
import { createOptionsValidator, type OptionsValidator } from './options.ts'
import { type Probe, probeEngines } from './probe.ts'

/** The plugins, the probes of this machine, and what is built from them. */
export interface LoadedCatalogue {
  plugins: readonly LoadedPlugin[]
  probes: ReadonlyMap<Engine, Probe>
  catalogue: Catalogue
  options: OptionsValidator
  /** Detection steps for the bundled formats. */
  recognisers: readonly Recogniser[]
}

/**
 * Loads the configured plugins and probes this machine for their engines.
 *
 * @param ask Runs programs; undefined: this node converts nothing, and looks for no engine.
 * @throws StartError for a faulty plugin, or if the configuration names an unknown tool or engine.
 */
export async function loadCatalogue(config: Config, ask: Ask | undefined): Promise<LoadedCatalogue> {
  const plugins = await loadPlugins(config.plugins, config.baseDir, { ocr: config.ocr })
  checkNames(plugins, config)
  const open = plugins.filter(({ state }) => state === 'open').map(({ plugin }) => plugin)
  const probes = ask ? await probeEngines(enginesOf(open), config.dataDir, ask) : new Map<Engine, Probe>()
  const catalogue = createCatalogue(plugins, probes, { prefer: config.prefer, disabled: config.tools.disabled })
  const options = createOptionsValidator(plugins.map(({ plugin }) => plugin))
  return { plugins, probes, catalogue, options, recognisers: await loadRecognisers() }
}
