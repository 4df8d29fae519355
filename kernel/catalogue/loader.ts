import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Engine, Format, Plugin, PluginFactory, Recogniser } from '../contract.ts'
import { StartError } from '../errors.ts'
import { locate } from './locate.ts'
import { faultsOf } from './manifest/faults.ts'
import { readSettings } from './settings.ts'

const root = join(import.meta.dirname, '..', '..')

/** The folder next to the plugins that describes the bundled formats. */
const FORMATS = 'formats'

/** A plugin and its state in the configuration. */
export interface LoadedPlugin {
  plugin: Plugin
  /** Its key in the configuration. Default: its category. */
  name?: string
  /** Whether it comes from outside this tree. If it collides with a bundled plugin, errors blame the external one. */
  outside?: boolean
  /** `open`: it converts. `closed`: it is known, but requests get 403. `facts`: it only describes its formats. */
  state: 'open' | 'closed' | 'facts'
}

/**
 * Imports the plugins that the configuration names, in its order: folders of `plugins/`, npm packages or paths
 * (relative to `base`). Bundled plugins that it does not name only describe their formats. A plugin that brings its own
 * formats is like one from outside, also if it is in `plugins/`: it is loaded only if it is open. `shared` are sections
 * of the configuration that several plugins may take as settings.
 *
 * @throws StartError naming the plugin and what is wrong with it.
 */
export async function loadPlugins(
  configured: Readonly<Record<string, boolean | Record<string, unknown>>>,
  base = root,
  shared: Record<string, unknown> = {},
): Promise<LoadedPlugin[]> {
  const bundled = (await readdir(join(root, 'plugins'))).filter((name) => name !== FORMATS)
  const names = [...Object.keys(configured), ...bundled.filter((name) => !(name in configured))]
  const [engines, { formats: described }] = await Promise.all([bundledEngines(), bundledFormats()])
  const loaded = await Promise.all(
    names.map(async (name): Promise<LoadedPlugin & { name: string }> => {
      const entry = configured[name]
      const given = typeof entry === 'object' ? entry : {}
      const inside = bundled.includes(name)
      const file = inside ? join(root, 'plugins', name, 'index.ts') : locate(name, base, bundled)
      const plugin = await importPlugin(name, file, given, shared, engines)
      const own = inside && Object.keys(plugin.formats).every((extension) => extension in described)
      return { name, outside: !own, plugin, state: entry === undefined ? 'facts' : entry === false ? 'closed' : 'open' }
    }),
  )
  return loaded.filter(({ name, outside, state }) => !outside || state === 'open' || !bundled.includes(name))
}

async function importPlugin(
  name: string,
  file: string,
  given: Record<string, unknown>,
  shared: Record<string, unknown>,
  engines: Record<string, Engine>,
): Promise<Plugin> {
  const module = await importModule(name, file)
  const exported = unwrap(module, name, file)
  const settings = readSettings(name, module.settings, given, shared)
  const plugin =
    typeof exported === 'function' ? await callFactory(name, exported as PluginFactory, settings, engines) : exported
  const faults = faultsOf(plugin, namesOf(engines))
  if (faults.length > 0) throw new StartError(faults.map((fault) => `plugins.${name}: ${fault}`).join('\n'))
  return plugin as Plugin
}

async function importModule(name: string, file: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(file).href).catch((cause: NodeJS.ErrnoException) => {
    const message =
      cause.code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING'
        ? `${file} is TypeScript, which Node does not run from node_modules: the package must publish JavaScript`
        : cause.message
    // The message of a syntax error does not name the file.
    const place = cause instanceof SyntaxError ? ` (in ${file})` : ''
    throw new StartError(`plugins.${name}: ${message}${place}`, { cause })
  })
}

/** Returns a module's default export. TypeScript compiled to CommonJS has it one level deeper. */
function unwrap(module: Record<string, unknown>, name: string, file: string): unknown {
  const exported = module.default as { __esModule?: true; default?: unknown } | undefined
  if (exported?.__esModule) return exported.default
  if (exported !== undefined) return exported
  const others = Object.keys(module)
  const found = others.length > 0 ? `it exports ${others.join(', ')}` : 'it exports nothing'
  throw new StartError(`plugins.${name}: found ${file}, but it does not export a plugin by default: ${found}`)
}

async function callFactory(
  name: string,
  factory: PluginFactory,
  settings: Record<string, unknown>,
  engines: Record<string, Engine>,
): Promise<unknown> {
  try {
    return await factory({ settings, engines })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`plugins.${name}: its factory threw: ${message}`, { cause })
  }
}

/** Returns the names of the engines only: their modules also export other things. */
const namesOf = (engines: Record<string, Engine>) =>
  Object.entries(engines).flatMap(([name, engine]) => (engine?.name && engine.binary ? [name] : []))

/** Loads the steps that tell the bundled formats apart, in the order in which detection runs them. */
export async function loadRecognisers(): Promise<readonly Recogniser[]> {
  return (await bundledFormats()).default
}

const bundledFormats = (): Promise<{ default: readonly Recogniser[]; formats: Record<string, Format> }> =>
  import(pathToFileURL(join(root, 'plugins', FORMATS, 'index.ts')).href)

/** Loads the bundled engines, by export name, for external plugins. */
async function bundledEngines(): Promise<Record<string, Engine>> {
  const files = (await readdir(join(root, 'engines'))).filter((file) => file.endsWith('.ts'))
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, 'engines', file)).href)))
  return Object.assign({}, ...modules)
}
