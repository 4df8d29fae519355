import type { Config } from '../../config/config.ts'
import { environmentSchema } from '../../config/environment.ts'
import { findOwnUpdates } from '../../config/setup/own-updates.ts'
import type { Updates } from '../../config/setup/updates.ts'
import { describeStorage } from '../../config/storage-url.ts'
import { version } from '../../config/version.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type LoadedCatalogue, loadCatalogue } from '../catalogue/load.ts'
import type { LoadedPlugin } from '../catalogue/loader.ts'
import { enginesOfRoute } from '../catalogue/manifest/route.ts'
import { expand } from '../catalogue/pairs.ts'
import type { Probe } from '../catalogue/probe.ts'
import type { Engine, Route } from '../contract.ts'
import { hasMemoryController } from '../sandbox/limits/own-cgroup.ts'
import { examineNodes, type NodesFinding } from './nodes.ts'
import { openTrial } from './trial.ts'
import { becomeOwner } from './unix-user.ts'

export interface EngineFinding {
  name: string
  found: boolean
  version?: string
  path?: string
  /** Why it cannot be used. */
  missing?: string
  /** What its build can do, if that is a short list: parts of LibreOffice, languages of text recognition. */
  features?: string
  /** Debian package that brings it. */
  package?: string
  /** Pairs with a direct route that uses it. */
  pairs: number
  /** Pairs among them that no other engine on this machine can convert. */
  alone: number
}

/** What doctor reports. */
export interface Findings {
  /** Version of Athanor. */
  version: string
  commit: string | null
  node: string
  configuration: { mode: Config['mode']; file: string | null; environment: string[]; dataDir: string; storage: string }
  sandbox: { mode: Config['sandbox']; works: boolean; detail: string }
  /** Whether the kernel of this machine could limit the memory of each conversion. */
  memoryGroups: string
  /** Nodes that share the database; null: without `REDIS_URL` there are none. */
  nodes: NodesFinding | null
  /** Security updates that Debian offers for the engines. */
  debian: Updates
  plugins: { category: string; state: LoadedPlugin['state']; formats: number; pairs: number }[]
  engines: EngineFinding[]
  /** Numbers of pairs in the catalogue, and of declared pairs that this machine cannot convert. */
  pairs: { usable: number; missing: number }
  /** Reasons why pairs are missing, with the number of pairs; the most frequent first. */
  obstacles: { reason: string; pairs: number }[]
  /** Formats that no pair of this machine reads or writes, by category. */
  formatsWithoutRoutes: Record<string, string[]>
}

/**
 * Examines configuration, machine and plugins. Does not change data of a running service, and creates no data folder.
 */
export async function examine(config: Config, env: NodeJS.ProcessEnv): Promise<Findings> {
  becomeOwner(config.dataDir)
  await using trial = await openTrial(config)
  const [loaded, debian, nodes] = await Promise.all([
    loadCatalogue({ ...config, dataDir: trial.cache }, trial.ask),
    findOwnUpdates(),
    examineNodes(config),
  ])
  return describe(config, env, loaded, { sandbox: describeSandbox(config.sandbox, trial.fault), debian, nodes })
}

function describe(
  config: Config,
  env: NodeJS.ProcessEnv,
  { plugins, probes, catalogue }: LoadedCatalogue,
  { sandbox, debian, nodes }: Pick<Findings, 'sandbox' | 'debian' | 'nodes'>,
): Findings {
  const used = new Set(catalogue.formats.map((format) => format.extension))
  return {
    version,
    commit: config.commit ?? null,
    node: process.versions.node,
    configuration: {
      mode: config.mode,
      file: env.CONFIG_FILE || null,
      environment: Object.keys(environmentSchema.properties).filter((name) => env[name]),
      dataDir: config.dataDirOnHost,
      storage: describeStorage(config.storagePlace),
    },
    sandbox,
    memoryGroups: describeGroups(hasMemoryController()),
    nodes,
    debian,
    plugins: plugins.map(({ plugin, state }) => ({
      category: plugin.category,
      state,
      formats: Object.keys(plugin.formats).length,
      pairs: [...catalogue.pairs.values()].filter((pair) => pair.plugin === plugin).length,
    })),
    engines: [...probes].map(([engine, probe]) => ({
      name: engine.name,
      found: !('missing' in probe),
      ...probe,
      features: shortFeatures(probe),
      ...(engine.package && { package: engine.package }),
      ...countPairs(engine, plugins, catalogue),
    })),
    pairs: { usable: catalogue.pairs.size, missing: catalogue.missing.length },
    obstacles: countObstacles(catalogue),
    formatsWithoutRoutes: Object.fromEntries(
      plugins.map(({ plugin }) => [plugin.category, Object.keys(plugin.formats).filter((format) => !used.has(format))]),
    ),
  }
}

/** What an engine listed, in one line of at most 300 characters; undefined if it is longer. */
function shortFeatures(probe: Probe): string | undefined {
  const features = 'features' in probe ? probe.features.trim().replace(/\s+/g, ' ') : ''
  return features && features.length <= 300 ? features : undefined
}

/** Only the service itself knows whether it has a control group. This command runs in another group. */
const describeGroups = (possible: boolean) =>
  possible
    ? 'possible: set User= and Delegate=yes in the systemd unit; the service logs at startup if it has none'
    : 'none: this machine has no memory controller (cgroup version 2); the service adds up the memory itself'

function describeSandbox(mode: Config['sandbox'], fault: string | undefined): Findings['sandbox'] {
  if (mode === 'none') return { mode, works: true, detail: 'engines run without isolation: unsafe for untrusted files' }
  return { mode, works: !fault, detail: fault ?? 'works; a test program in it could do nothing that is forbidden' }
}

function countPairs(engine: Engine, plugins: readonly LoadedPlugin[], catalogue: Catalogue) {
  const routes = plugins.filter(({ state }) => state === 'open').flatMap(({ plugin }) => plugin.routes)
  const runs = (route: Route) => enginesOfRoute(route).includes(engine)
  const keys = new Set(
    routes
      .filter(runs)
      .flatMap(expand)
      .map(([from, to]) => `${from}>${to}`),
  )
  const others = (key: string) => catalogue.pairs.get(key)?.methods.some(({ route }) => !runs(route))
  return { pairs: keys.size, alone: [...keys].filter((key) => !others(key)).length }
}

function countObstacles({ missing }: Catalogue) {
  const reasons = Map.groupBy(
    missing.flatMap((pair) => [...new Set(pair.obstacles)]),
    (reason) => reason,
  )
  return [...reasons].map(([reason, each]) => ({ reason, pairs: each.length })).sort((a, b) => b.pairs - a.pairs)
}
