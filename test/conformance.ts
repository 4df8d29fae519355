/**
 * What every plugin keeps, ours and those from outside. An author calls it in a test of five lines:
 *
 *     import t from 'tap'
 *     import { conformance } from 'athanor/test/conformance.ts'
 *     import plugin from '../index.ts'
 *
 *     await conformance(plugin, t)
 *
 * It reads the manifest and calls its pure functions; it starts no program. That a pair works is another matter: the
 * matrix converts a real file by each (`test/matrix/`).
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Test } from 'tap'
import type { Args, Engine, Job, Plugin, Route } from '../kernel/contract.ts'

const ajv = new Ajv2020({ strict: false })

const extension = /^[a-z0-9]+(\.[a-z0-9]+)*$/
/** Type, subtype (RFC 6838, section 4.2) and parameters. */
const mime = /^[a-z]+\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(; ?[a-z]+=[A-Za-z0-9.-]+)*$/

const manifest = ajv.compile({
  type: 'object',
  required: ['category', 'formats', 'options', 'routes'],
  additionalProperties: false,
  properties: {
    category: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
    formats: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: extension.source },
      additionalProperties: {
        type: 'object',
        required: ['mime'],
        additionalProperties: false,
        properties: {
          mime: { type: 'string', pattern: mime.source, maxLength: 127 },
          label: { type: 'string', minLength: 1, maxLength: 60 },
          aliases: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: extension.source } },
          sniff: {},
          wanted: { $ref: '#/$defs/wanted' },
        },
      },
    },
    options: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][A-Za-z0-9]*$' },
      additionalProperties: {
        type: 'object',
        required: ['type', 'description'],
        additionalProperties: false,
        properties: {
          type: { enum: ['integer', 'number', 'string', 'boolean'] },
          description: { type: 'string', pattern: '\\.$' },
          enum: { type: 'array', minItems: 1, uniqueItems: true },
          minimum: { type: 'number' },
          maximum: { type: 'number' },
          default: {},
          defaults: { type: 'object' },
          implied: { const: true },
          effect: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['forbid', 'message'],
        additionalProperties: false,
        properties: {
          to: { type: 'array', minItems: 1, items: { type: 'string' } },
          forbid: { type: 'object' },
          message: { type: 'string', minLength: 10 },
        },
      },
    },
    wanted: { $ref: '#/$defs/wanted' },
    routes: { type: 'array', items: { type: 'object' } },
    heavy: {},
  },
  $defs: { wanted: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: extension.source } } },
})

/**
 * Tests that a plugin is well-formed, as one subtest of `t`.
 *
 * @param plugin What the package exports; a factory is called by the author, with settings of the author's choice.
 * @param t The `tap` of the author's test.
 */
export async function conformance(plugin: Plugin, t: Pick<Test, 'test'>): Promise<void> {
  await t.test(`the plugin ${plugin.category} conforms`, async (t) => {
    t.ok(manifest(plugin), 'the manifest has the shape of the contract', { errors: manifest.errors })
    formats(plugin, t)
    options(plugin, t)
    for (const route of plugin.routes) routeOf(plugin, route, t)
    for (const engine of enginesOf(plugin)) engineOf(engine, t)
    if (plugin.heavy) heavy(plugin, t)
  })
}

const own = (plugin: Plugin, extension: string) => Object.hasOwn(plugin.formats, extension)

function formats(plugin: Plugin, t: Test): void {
  const spellings = Object.entries(plugin.formats).flatMap(([name, format]) => [name, ...(format.aliases ?? [])])
  const twice = spellings.filter((spelling, index) => spellings.indexOf(spelling) !== index)
  t.same(twice, [], 'every extension and alias means one format')
  for (const [name, { sniff }] of Object.entries(plugin.formats)) {
    if (!sniff) continue
    t.equal(typeof sniff(new Uint8Array(0)), 'boolean', `${name} can be looked for in an empty file`)
    t.equal(sniff(new Uint8Array(65_536)), false, `64 KiB of zeros are no ${name}`)
  }
}

function options(plugin: Plugin, t: Test): void {
  for (const [key, { effect, defaults, implied: _implied, description: _, ...schema }] of Object.entries(
    plugin.options,
  )) {
    t.ok(ajv.validateSchema(schema), `options.${key} is a JSON Schema`)
    const valid = ajv.compile(schema)
    if (schema.default !== undefined) t.ok(valid(schema.default), `the default of options.${key} is allowed`)
    for (const [target, value] of Object.entries(defaults ?? {})) {
      t.ok(own(plugin, target), `options.${key} has a default for ${target}, a format of the plugin`)
      t.ok(valid(value), `the default of options.${key} for ${target} is allowed`)
    }
    const foreign = (effect ?? []).filter((target) => !own(plugin, target))
    t.same(foreign, [], `options.${key} has its effect on formats of the plugin`)
  }
  for (const rule of plugin.rules ?? []) {
    const forbids = ajv.compile(rule.forbid)
    t.notOk(forbids({}), `no options at all are allowed: ${rule.message}`)
    t.same(
      (rule.to ?? []).filter((target) => !own(plugin, target)),
      [],
      `about formats of the plugin: ${rule.message}`,
    )
  }
}

const nameOf = (route: Route) => {
  const pairs = 'transform' in route ? route.transform.join(' ') : `${route.from.join(' ')} to ${route.to.join(' ')}`
  return `${pairs} ${'via' in route ? `via ${route.via}` : `by ${route.engine.name}`}`.slice(0, 120)
}

function routeOf(plugin: Plugin, route: Route, t: Test): void {
  const name = nameOf(route)
  const targets = 'transform' in route ? route.transform : route.to
  const sources = 'transform' in route ? route.transform : route.from
  t.same(
    targets.filter((target) => !own(plugin, target)),
    [],
    `${name}: the targets are the plugin's`,
  )
  t.ok(targets.length > 0 && sources.length > 0, `${name}: there is a pair`)
  t.same(
    [...sources, ...targets].filter((format) => !extension.test(format)),
    [],
    `${name}: extensions are lower case`,
  )
  if (sources !== targets) {
    const pairs = sources.flatMap((from) => targets.filter((to) => to !== from))
    t.ok(pairs.length > 0, `${name}: a source is more than its own target`)
  }
  if ('via' in route) {
    t.notOk([...sources, ...targets].includes(route.via) && sources.length === 1, `${name}: the detour leaves its pair`)
    return
  }
  if (!('args' in route)) {
    t.type(route.convert, 'function', `${name}: convert is a function`)
    return
  }
  for (const to of targets) {
    const from = 'transform' in route ? to : (sources.find((source) => source !== to) ?? to)
    const job = jobOf(plugin, from, to)
    const before = JSON.stringify(job)
    const args = flatten(route.args(job))
    t.same(flatten(route.args(job)), args, `${name}: the arguments for ${to} depend on the job alone`)
    t.equal(JSON.stringify(job), before, `${name}: the job stays as it was`)
    sound(args, `${name}: arguments for ${to}`, t)
    const framed = flatten(route.engine.argv(job, args))
    sound(framed, `${name}: frame for ${to}`, t)
    t.same(flatten(route.engine.argv(job, args)), framed, `${name}: the frame for ${to} depends on the job alone`)
    mentions(framed, job, `${name}: frame for ${to}`, t)
  }
}

/** A job as the kernel makes one: paths of the sandbox, defaults applied. */
function jobOf(plugin: Plugin, from: string, to: string): Job {
  const defaults = Object.entries(plugin.options).map(([key, option]) => [key, option.defaults?.[to] ?? option.default])
  return {
    from,
    to,
    intent: from === to ? 'transform' : 'convert',
    input: `/in/file.${from}`,
    output: `/out/file.${to}`,
    pages: '/out/pages.zip',
    scratch: '/scratch',
    name: 'picture',
    size: 1_000,
    options: Object.fromEntries(defaults.filter(([, value]) => value !== undefined)),
    signal: new AbortController().signal,
  }
}

/** As the sandbox does it: falsy entries but 0 dropped, nested lists spliced, numbers written out. */
function flatten(args: Args): string[] {
  return args.flatMap((arg) => {
    if (Array.isArray(arg)) return flatten(arg)
    return arg === 0 || arg ? [String(arg)] : []
  })
}

/** What a forgotten option looks like once it is a word of a command line. */
function sound(args: readonly string[], what: string, t: Test): void {
  t.same(
    args.filter((arg) => /\b(undefined|NaN|\[object )/.test(arg)),
    [],
    `${what} hold no missing value`,
  )
  t.same(
    args.filter((arg) => arg.includes('\0')),
    [],
    `${what} can be words of a command line`,
  )
}

/** Engines that read a whole folder or write one are told so by its path. */
function mentions(args: readonly string[], job: Job, what: string, t: Test): void {
  t.ok(
    args.some((arg) => arg.includes(job.input)),
    `${what} names the input`,
  )
  const outputs = [job.output, job.pages, job.scratch, '/out']
  t.ok(
    args.some((arg) => outputs.some((output) => arg.includes(output))),
    `${what} names the output`,
  )
}

function enginesOf(plugin: Plugin): Set<Engine> {
  return new Set(
    plugin.routes.flatMap((route) =>
      'engine' in route ? [route.engine, ...('uses' in route ? (route.uses ?? []) : [])] : [],
    ),
  )
}

function engineOf(engine: Engine, t: Test): void {
  const name = `engine ${engine.name}`
  t.match(engine.name, /^[a-z0-9][a-z0-9._-]*$/i, `${name} has a name`)
  t.ok(engine.binary.length > 0 && engine.binary.every((binary) => binary.length > 0), `${name} names its program`)
  t.same(
    engine.binary.filter((binary) => binary.includes('/') && !binary.startsWith('/')),
    [],
    `${name}: names or whole paths`,
  )
  t.ok(Array.isArray(engine.version), `${name} says how to ask for its version`)
  t.type(engine.argv, 'function', `${name} has a frame`)
  const read = engine.progress?.()
  for (const line of ['', 'nonsense', '-1', '100%', '\ufffd'.repeat(10_000)]) {
    const fraction = read?.(line)
    t.ok(fraction === undefined || (fraction >= 0 && fraction <= 1), `${name}: progress is a fraction or nothing`)
  }
  if (engine.reason) t.doesNotThrow(() => engine.reason?.([]), `${name} can say nothing about nothing`)
  if (engine.warm) t.ok(engine.warm.jobs >= 1, `${name} serves a job`)
  const { addressSpace = 0, processes = 1 } = engine.sandbox ?? {}
  t.ok(addressSpace >= 0 && processes >= 1, `${name} has bounds that a program can live in`)
}

function heavy(plugin: Plugin, t: Test): void {
  for (const route of plugin.routes) {
    const [from, to] =
      'transform' in route ? [route.transform[0]!, route.transform[0]!] : [route.from[0]!, route.to[0]!]
    const { intent, options } = jobOf(plugin, from, to)
    for (const size of [0, 1, 5e9]) {
      const first = plugin.heavy!({ from, to, intent, size, options })
      t.type(first, 'boolean', `${from} to ${to} of ${size} bytes is heavy or not`)
      t.equal(plugin.heavy!({ from, to, intent, size, options }), first, 'and stays so')
    }
  }
}
