import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Plugin, Route } from '../../contract.ts'
import { explain, join, shown } from './explain.ts'
import { meaningFaults } from './meaning.ts'
import { engineShape, manifestShape, routeShapes } from './shape.ts'

/** What a fault may need to say beyond the manifest. */
export interface Surroundings {
  /** Names under which engines that ship are handed to a factory. */
  shipped?: readonly string[]
  /** Names that the factory asked for and that do not exist. */
  asked?: Iterable<string>
}

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true })
ajv.addKeyword({ keyword: 'regExp', validate: (_: unknown, data: unknown) => data instanceof RegExp })
ajv.addKeyword({ keyword: 'signature', validate: (_: unknown, data: unknown) => isSignature(data) })
ajv.addKeyword({ keyword: 'function', validate: (_: unknown, data: unknown) => typeof data === 'function' })

function isSignature(data: unknown): boolean {
  if (typeof data === 'string') return data !== ''
  if (typeof data !== 'object' || data === null || data instanceof RegExp) return data instanceof RegExp
  const { bytes, at } = data as { bytes?: unknown; at?: unknown }
  return typeof bytes === 'string' && bytes !== '' && Number.isInteger(at) && Number(at) >= 0
}

const isManifest = ajv.compile(manifestShape)
const isEngine = ajv.compile(engineShape)
const isRoute = Object.fromEntries(
  Object.entries(routeShapes).map(([key, shape]) => [
    key,
    ajv.compile({ type: 'object', additionalProperties: false, ...shape }),
  ]),
)

/**
 * What is wrong with a manifest: a sentence each, with the key path and what is allowed; none for a sound one. Reads
 * data alone and calls nothing of the plugin.
 */
export function faultsOf(plugin: unknown, surroundings: Surroundings = {}): string[] {
  if (!isManifest(plugin)) return sentences(isManifest)
  const { routes } = plugin as unknown as Plugin
  const faults = routes.flatMap((route, index) => routeFaults(route, `routes[${index}]`, surroundings))
  return [...new Set(faults.length > 0 ? faults : meaningFaults(plugin as unknown as Plugin))]
}

const sentences = ({ errors }: ValidateFunction, base?: string) => [
  // What is wrong inside a key is told with the key.
  ...new Set(errors!.filter((error) => error.propertyName === undefined).map((error) => explain(error, base))),
]

function routeFaults(route: Route, path: string, surroundings: Surroundings): string[] {
  const kind = Object.keys(routeShapes).find((key) => key in route)
  const pairs = 'transform' in route || ('from' in route && 'to' in route)
  const faults = pairs ? [] : [`${path} must have from and to, or transform: the pairs that it makes`]
  if (kind && kind !== 'via')
    faults.push(...engineFaults((route as { engine?: unknown }).engine, join(path, 'engine'), surroundings))
  if ('uses' in route && Array.isArray(route.uses)) {
    faults.push(...route.uses.flatMap((engine, at) => engineFaults(engine, `${path}.uses[${at}]`, surroundings)))
  }
  if (!kind) return [...faults, `${path} must have engine and args, engine and convert, or via: how its pairs are made`]
  const validate = isRoute[kind]!
  return validate(route) ? faults : [...faults, ...sentences(validate, path)]
}

function engineFaults(engine: unknown, path: string, { shipped = [], asked = [] }: Surroundings): string[] {
  const list = shipped.length > 0 ? `; those that ship are ${shipped.join(', ')}` : ''
  if (engine === undefined) {
    const wrong = [...asked].map((name) => `engines.${name}`)
    const hint = wrong.length > 0 ? ` The plugin asked for ${wrong.join(', ')}, which does not exist.` : ''
    return [`${path} is undefined: is it one of the engines that ship?${hint}${list.replace('; t', ' T')}`]
  }
  if (typeof engine === 'string') {
    return [`${path} must be the engine itself, not its name ${shown(engine)}: a factory gets { engines }${list}`]
  }
  return isEngine(engine) ? [] : sentences(isEngine, path)
}
