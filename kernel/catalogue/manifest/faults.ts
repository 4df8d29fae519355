import type { Plugin, Route, Step } from '../../contract.ts'
import { createCompiler, type ErrorObject, explainAll, join, shown } from '../../json-schema.ts'
import { lossShape } from './losses.ts'
import { meaningFaults } from './meaning.ts'
import { routeShapes, stepShape } from './route-shape.ts'
import { engineShape, manifestShape } from './shape.ts'

const isFunction = (data: unknown) => typeof data === 'function'
const isRegExp = (data: unknown) => data instanceof RegExp
const compile = createCompiler({
  allErrors: true,
  keywords: [
    { keyword: 'regExp', validate: (_: unknown, data: unknown) => isRegExp(data) },
    { keyword: 'signature', validate: (_: unknown, data: unknown) => isSignature(data) },
    { keyword: 'function', validate: (_: unknown, data: unknown) => isFunction(data) },
  ],
})

function isSignature(data: unknown): boolean {
  if (typeof data === 'string') return data !== ''
  if (typeof data !== 'object' || data === null || data instanceof RegExp) return data instanceof RegExp
  const { bytes, at } = data as { bytes?: unknown; at?: unknown }
  return typeof bytes === 'string' && bytes !== '' && Number.isInteger(at) && Number(at) >= 0
}

const validateManifest = compile(manifestShape)
const validateEngine = compile(engineShape)
const validateStep = compile(stepShape)
const validateLoss = compile(lossShape)
/** The kinds of routes, by the key that says how a route works. */
const routeKinds = Object.entries(routeShapes).map(([kind, shape]) => ({
  kind,
  validate: compile({ type: 'object', additionalProperties: false, ...shape }),
}))

/**
 * Lists what is wrong with a manifest: one sentence for each fault, with the key path and what is allowed. Only reads
 * data; calls no function of the plugin.
 *
 * @param shipped Names of the bundled engines that a factory gets.
 */
export function faultsOf(plugin: unknown, shipped: readonly string[] = []): string[] {
  const errors = validateManifest(plugin)
  if (errors.length > 0) return sentences(errors)
  const manifest = plugin as Plugin
  const faults = [
    ...manifest.routes.flatMap((route, index) => routeFaults(route, `routes[${index}]`, shipped)),
    ...(manifest.losses ?? []).flatMap((loss, index) => sentences(validateLoss(loss), `losses[${index}]`)),
  ]
  return [...new Set(faults.length > 0 ? faults : meaningFaults(manifest))]
}

const sentences = (errors: readonly ErrorObject[], base?: string) =>
  explainAll(errors, { base, whole: 'the default export', given: shown })

function routeFaults(route: Route, path: string, shipped: readonly string[]): string[] {
  const { kind, validate } = routeKinds.find(({ kind }) => kind in route) ?? {}
  const pairs = 'transform' in route || ('from' in route && 'to' in route)
  const faults = pairs ? [] : [`${path} must have from and to, or transform: the pairs that it converts`]
  if (kind && kind !== 'via' && (kind !== 'steps' || 'engine' in route))
    faults.push(...engineFaults((route as { engine?: unknown }).engine, join(path, 'engine'), shipped))
  if ('uses' in route && Array.isArray(route.uses)) {
    faults.push(...route.uses.flatMap((engine, at) => engineFaults(engine, `${path}.uses[${at}]`, shipped)))
  }
  if (!validate)
    return [
      ...faults,
      `${path} must have engine and args, steps, engine and convert, or via: how it converts its pairs`,
    ]
  const errors = validate(route)
  if (errors.length > 0) return [...faults, ...sentences(errors, path)]
  if (!('steps' in route)) return faults
  const stepped = route.steps.flatMap((step, at) => stepFaults(step, `${path}.steps[${at}]`, shipped))
  return [...faults, ...(stepped.length > 0 ? stepped : orderFaults(route.steps, path))]
}

function stepFaults(step: Step, path: string, shipped: readonly string[]): string[] {
  const errors = validateStep(step)
  if (errors.length > 0) return sentences(errors, path)
  const uses = Array.isArray(step.uses) ? step.uses : []
  return [
    ...engineFaults(step.engine, join(path, 'engine'), shipped),
    ...uses.flatMap((engine, at) => engineFaults(engine, `${path}.uses[${at}]`, shipped)),
  ]
}

/**
 * Checks the order of steps: each must read an earlier step's output or its folder. Each step before the last one that
 * writes must name its output, or set it to false.
 */
function orderFaults(steps: readonly Step[], path: string): string[] {
  const written = new Set(['source'])
  const last = steps.findLastIndex((step) => step.output !== false)
  return steps.flatMap((step, at) => {
    const place = `${path}.steps[${at}]`
    const faults =
      step.input === undefined || written.has(step.input)
        ? []
        : [`${place}.input: no earlier step writes ${shown(step.input)}`]
    for (let when = step.when, path = `${place}.when`; when; when = when.not, path += '.not')
      if (when.written !== undefined && !written.has(when.written))
        faults.push(`${path}.written: no earlier step writes ${shown(when.written)}`)
    if (step.output === undefined && at < last)
      faults.push(`${place}.output is missing: a later step follows, so name the output of this step, or write false`)
    if (step.output) written.add(step.output).add(step.output.replace(/[^/]+$/, ''))
    return faults
  })
}

function engineFaults(engine: unknown, path: string, shipped: readonly string[]): string[] {
  const list = shipped.length > 0 ? `; those that ship are ${shipped.join(', ')}` : ''
  if (engine === undefined)
    return [`${path} is undefined: is it one of the engines that ship?${list.replace('; t', ' T')}`]
  if (typeof engine === 'string') {
    return [`${path} must be the engine itself, not its name ${shown(engine)}: a factory gets { engines }${list}`]
  }
  return sentences(validateEngine(engine), path)
}
