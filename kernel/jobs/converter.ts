import { basename } from 'node:path'
import { type DirectRoute, enginesOfRoute, isDirect, leaderOf, stepsOf } from '../catalogue/manifest/route.ts'
import type { Engine, Intent, Job, Plugin, Route } from '../contract.ts'
import type { ConversionFailure } from '../errors.ts'
import { isRefusal } from '../kit.ts'
import type { Result } from '../sandbox/folder.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Installation, Sandboxes } from '../sandbox/sandboxes.ts'
import { type ConvertFile, convertPages, type Product, pagesPattern, takePages } from './detour-pages.ts'
import { asFailure, invalidResult } from './failure.ts'
import { runSteps } from './steps.ts'
import { createFindings, noteEngine, type WorkFindings } from './work.ts'

/** A pair with its usable routes, preferred first, as the catalogue lists it. */
export interface ConvertiblePair {
  readonly from: string
  readonly to: string
  readonly methods: readonly { readonly route: Route; readonly plugin: Plugin }[]
}

/** One conversion to run. */
export interface ConversionTask {
  owner: string
  /** Host path of the source. */
  source: string
  pair: ConvertiblePair
  intent: Intent
  /** Validated, with the defaults of the pair's plugin applied. */
  options: object
  /** Stem of the download's name. */
  name: string
  /** Bytes of the source. `max`: maximum bytes of the result; null: only the disk limit applies. */
  size: number
  max?: number | null
  /** Whether it has only a light place, so that heavy steps must not run. Default: false. */
  light?: boolean
  signal: AbortSignal
  report: (fraction: number) => void // receives the fraction done, 0 to 1; it never decreases
  onRun?: Parameters<Sandboxes['open']>[3] // receives each engine's run after it has ended
  findings?: WorkFindings // receives what is found out on the way
}

/** A result in its sandbox. Disposing of the result removes the sandbox. */
export interface Made extends AsyncDisposable, Result {
  /** Whether it is a zip of pages instead of one file of the target format. */
  paged: boolean
}

export type Converter = ReturnType<typeof createConverter>

interface ConverterOptions {
  /** Pairs, keyed by `from>to`. */
  catalogue: { readonly pairs: ReadonlyMap<string, ConvertiblePair> }
  /** Where each engine is installed. */
  probes: ReadonlyMap<Engine, Installation>
  sandboxes: Pick<Sandboxes, 'open'>
  /** Fills in a plugin's default options. */
  options: { complete(plugin: Plugin, to: string, intent: Intent, options: Readonly<Record<string, unknown>>): object }
  /** Whether the content of a file matches a format. */
  verify: (path: string, format: string) => Promise<boolean>
}

/** A leg: one direct pair. Its source is already in the sandbox. */
interface Leg extends Omit<ConversionTask, 'owner' | 'source' | 'pair' | 'max' | 'onRun' | 'findings'> {
  findings: WorkFindings
  from: string
  to: string
  origin: string
  /** Name of the source in `/in`. */
  input: string
  /** Whether several pages are wanted as files, for another leg. Otherwise they become a zip. */
  apart?: boolean
}

export function createConverter({ catalogue, probes, sandboxes, options, verify }: ConverterOptions) {
  return { convert }

  /**
   * Converts one file. Tries the pair's routes in order; goes to the next one only if an engine refused the file.
   *
   * Rejects with ConversionFailure (the first refusal if all routes refuse; NeedsHeavy if a light task needs a heavy
   * place), or with `signal.reason` after an abort.
   */
  async function convert({ owner, source, pair, report, max, onRun, ...rest }: ConversionTask): Promise<Made> {
    const { signal, findings = createFindings() } = rest
    signal.throwIfAborted()
    let done = 0
    const leg: Leg = {
      ...rest,
      findings,
      from: pair.from,
      origin: pair.from,
      to: pair.to,
      input: `file.${pair.from}`,
      report: (fraction) => fraction > done && report((done = Math.min(fraction, 1))),
    }
    const sandbox = await sandboxes.open(owner, enginesOf(pair), max ?? undefined, onRun)
    try {
      await sandbox.place(source, `file.${pair.from}`)
      const made = await firstThatSucceeds(pair.methods, sandbox, signal, ({ route, plugin }) => {
        findings.legs.clear()
        return 'via' in route ? detour(route.via, leg, sandbox) : direct(route, plugin, leg, sandbox)
      })
      const [file] = made.files
      return { ...file, paged: made.paged, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() }
    } catch (error) {
      await sandbox[Symbol.asyncDispose]()
      signal.throwIfAborted()
      throw asFailure(error, { hook: 'convert' })
    }
  }

  /** The engines of the first route. The sandbox looks for a warm process of one of them. */
  function enginesOf({ from, to, methods }: ConvertiblePair): Engine[] {
    const route = methods[0]?.route
    if (!route) return []
    if ('via' in route) return [`${from}>${route.via}`, `${route.via}>${to}`].flatMap((key) => enginesOf(directly(key)))
    return enginesOfRoute(route)
  }

  /** Returns a pair with its direct routes only, because detours do not nest. */
  function directly(key: string): ConvertiblePair {
    const [from = '', to = ''] = key.split('>')
    return { from, to, methods: catalogue.pairs.get(key)?.methods.filter(({ route }) => isDirect(route)) ?? [] }
  }

  async function detour(via: string, leg: Leg, sandbox: Sandbox) {
    const first = directly(`${leg.from}>${via}`)
    const last = directly(`${via}>${leg.to}`)
    const between = await firstThatSucceeds(first.methods, sandbox, leg.signal, ({ route, plugin }) =>
      direct(route as DirectRoute, plugin, firstLeg(leg, via, plugin), sandbox),
    )
    const rest: Leg = { ...leg, from: via, report: (part) => leg.report(0.5 + part / 2) }
    const convertLast: ConvertFile = async ({ path, size }, report = rest.report) => {
      const input = basename(path)
      return firstThatSucceeds(last.methods, sandbox, leg.signal, ({ route, plugin }) =>
        direct(route as DirectRoute, plugin, { ...rest, input, size, report }, sandbox),
      )
    }
    for (const { path } of between.files) await sandbox.advance(basename(path), basename(path))
    return between.paged ? convertPages(between.files, rest, sandbox, convertLast) : convertLast(between.files[0])
  }

  function firstLeg(leg: Leg, via: string, plugin: Plugin): Leg {
    const defaults = options.complete(plugin, via, 'convert', {})
    return {
      ...leg,
      to: via,
      intent: 'convert',
      apart: true,
      options: defaults,
      report: (part) => leg.report(part / 2),
    }
  }

  async function direct(
    route: DirectRoute,
    plugin: Plugin,
    { report, apart, light = false, findings, ...leg }: Leg,
    sandbox: Sandbox,
  ): Promise<Product> {
    const { paths } = sandbox
    const job: Job = {
      ...leg,
      input: `${paths.in}/${leg.input}`,
      output: `${paths.out}/file.${leg.to}`,
      pages: `${paths.out}/${apart ? pagesPattern(leg.to) : 'pages.zip'}`,
      scratch: paths.scratch,
    }
    await runSteps(stepsOf(route), job, {
      plugin: plugin.category,
      light,
      found: (facts) => findings.legs.set(`${leg.to}<${leg.input}`, { plugin, job, facts }),
      async run(job, engine, args, files) {
        const { path, version } = installed(engine)
        noteEngine(findings, engine, version)
        return sandbox.run(engine, path, { ...job, ...files }, args, report)
      },
      makeFolder: (name) => sandbox.makeFolder(name),
    })
    leg.signal.throwIfAborted()
    const file = await sandbox.result(`file.${leg.to}`)
    const pages = file ? undefined : await (apart ? takePages(leg.to, sandbox) : sandbox.result('pages.zip'))
    const files = [file ?? pages ?? []].flat()
    const format = pages && !apart ? 'zip' : leg.to
    for (const { path } of files) if (!(await verify(path, format))) files.length = 0
    const [first, ...others] = files
    if (first) return { files: [first, ...others], paged: pages !== undefined }
    throw (await sandbox.filled()) ?? invalidResult(leg.to, new Error(leaderOf(route).name))
  }

  function installed(engine: Engine) {
    const probe = probes.get(engine)
    if (!probe || 'missing' in probe) throw new Error(`${engine.name} is not available, but a route runs it`)
    return probe
  }
}

/** Tries the next method only after a refusal of the file, not after a limit, an abort, a password or a bug. */
async function firstThatSucceeds<Method, Result>(
  methods: readonly Method[],
  sandbox: Sandbox,
  signal: AbortSignal,
  attempt: (method: Method) => Promise<Result>,
): Promise<Result> {
  let refusal: ConversionFailure | undefined
  for (const method of methods) {
    if (refusal) await sandbox.clear()
    try {
      return await attempt(method)
    } catch (error) {
      signal.throwIfAborted()
      const failure = asFailure(error, { hook: 'convert' })
      if (!isRefusal(failure)) throw failure
      refusal ??= failure
    }
  }
  throw refusal ?? new Error('a pair without a usable way')
}
