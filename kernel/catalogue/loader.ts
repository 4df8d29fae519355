import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Engine, Plugin, PluginFactory } from '../contract.ts'
import { StartError } from '../errors.ts'
import { readSettings } from './settings.ts'

const root = join(import.meta.dirname, '..', '..')

/** A plugin with what the configuration says of it. */
export interface LoadedPlugin {
  plugin: Plugin
  /** `open` serves; `closed` is known and answers 403; `facts` lends only what its formats are. */
  state: 'open' | 'closed' | 'facts'
}

/** The manifest's shape: what an author gets wrong is said at the start, not at the first job. */
const isManifest = new Ajv2020({ strict: false, allErrors: true }).compile({
  type: 'object',
  required: ['category', 'formats', 'options', 'routes'],
  additionalProperties: false,
  properties: {
    category: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
    formats: {
      type: 'object',
      propertyNames: { pattern: '^[a-z0-9][a-z0-9.]*$' },
      additionalProperties: { type: 'object', required: ['mime'], properties: { mime: { type: 'string' } } },
    },
    options: { type: 'object', additionalProperties: { type: 'object', required: ['type', 'description'] } },
    rules: { type: 'array', items: { type: 'object', required: ['forbid', 'message'] } },
    wanted: { type: 'array', items: { type: 'string' } },
    routes: {
      type: 'array',
      items: {
        type: 'object',
        allOf: [
          { anyOf: [{ required: ['from', 'to'] }, { required: ['transform'] }] },
          { anyOf: [{ required: ['via'] }, { required: ['engine', 'args'] }, { required: ['engine', 'convert'] }] },
        ],
      },
    },
    heavy: {},
  },
})

/**
 * Imports the plugins that the configuration names, in its order: folders of `plugins/`, npm packages or paths
 * (relative to `base`). Bundled plugins that it does not name lend the facts about their formats.
 *
 * @throws StartError naming the plugin and what is wrong with it.
 */
export async function loadPlugins(
  configured: Readonly<Record<string, boolean | Record<string, unknown>>>,
  base = root,
): Promise<LoadedPlugin[]> {
  const bundled = await readdir(join(root, 'plugins'))
  const names = [...Object.keys(configured), ...bundled.filter((name) => !(name in configured))]
  const engines = await bundledEngines()
  return Promise.all(
    names.map(async (name): Promise<LoadedPlugin> => {
      const entry = configured[name]
      const given = typeof entry === 'object' ? entry : {}
      const plugin = await importPlugin(name, locate(name, bundled, base), given, engines)
      return { plugin, state: entry === undefined ? 'facts' : entry === false ? 'closed' : 'open' }
    }),
  )
}

function locate(name: string, bundled: readonly string[], base: string): string {
  if (bundled.includes(name)) return join(root, 'plugins', name, 'index.ts')
  try {
    // A path may be a file, or a folder with a package.json or an index, as for any module.
    const path = name.startsWith('.') || name.startsWith('/') ? resolve(base, name) : name
    return createRequire(join(base, 'noop.js')).resolve(path)
  } catch (cause) {
    throw new StartError(`plugins.${name}: no such plugin; bundled are ${bundled.join(', ')}`, { cause })
  }
}

async function importPlugin(
  name: string,
  file: string,
  given: Record<string, unknown>,
  engines: Record<string, Engine>,
): Promise<Plugin> {
  const module = await import(pathToFileURL(file).href).catch((cause) => {
    throw new StartError(`plugins.${name}: ${cause.message}`, { cause })
  })
  const exported: unknown = module.default
  const settings = readSettings(name, module.settings, given)
  const plugin = typeof exported === 'function' ? await (exported as PluginFactory)({ settings, engines }) : exported
  if (!isManifest(plugin)) {
    const faults = isManifest.errors!.map((error) => `${error.instancePath || 'manifest'} ${error.message}`)
    throw new StartError(`plugins.${name}: ${faults.join('; ')}`)
  }
  return plugin as unknown as Plugin
}

/** The engines that ship, by the name of their export, for plugins from outside. */
async function bundledEngines(): Promise<Record<string, Engine>> {
  const files = (await readdir(join(root, 'engines'))).filter((file) => file.endsWith('.ts'))
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, 'engines', file)).href)))
  return Object.assign({}, ...modules)
}

/** Every engine that the plugins' routes may run. */
export function enginesOf(plugins: readonly Plugin[]): Set<Engine> {
  const routes = plugins.flatMap((plugin) => plugin.routes)
  return new Set(
    routes.flatMap((route) =>
      'engine' in route ? [route.engine, ...('uses' in route ? (route.uses ?? []) : [])] : [],
    ),
  )
}
