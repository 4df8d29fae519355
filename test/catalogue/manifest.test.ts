/** Mistakes in manifests, and their messages: key path, given value, allowed values. */
import t from 'tap'
import { createCatalogue } from '../../kernel/catalogue/catalogue.ts'
import type { LoadedPlugin } from '../../kernel/catalogue/loader.ts'
import { faultsOf } from '../../kernel/catalogue/manifest/faults.ts'
import type { Engine, Plugin, Route } from '../../kernel/contract.ts'

const pen: Engine = { name: 'pen', binary: ['pen'], version: ['-v'], argv: (_job, args) => args }
const sound: Plugin = {
  category: 'note',
  formats: { abc: { mime: 'text/vnd.abc', aliases: ['ab'] }, 'abc.gz': { mime: 'application/gzip' } },
  options: { level: { type: 'integer', minimum: 1, maximum: 9, default: 5, description: 'Level.', effect: ['abc'] } },
  rules: [
    { to: ['abc'], forbid: { required: ['level'], properties: { level: { const: 9 } } }, message: 'not 9, please' },
  ],
  routes: [
    { from: ['txt'], to: ['abc', 'abc.gz'], engine: pen, args: () => [] },
    { transform: ['abc'], engine: pen, uses: [pen], convert: async () => {} },
    { from: ['md'], to: ['abc'], via: 'txt' },
    {
      from: ['htm'],
      to: ['abc'],
      steps: [
        {
          engine: pen,
          output: 'parts/',
          when: { options: { metadata: ['remove', undefined] }, not: { pages: 'one' } },
        },
        { engine: pen, input: 'source', output: 'page-%03d.{to}', each: 'page', optional: true },
        { engine: pen, input: 'parts/', args: () => [] },
        { engine: pen, output: false, convert: async () => undefined, uses: [pen] },
      ],
    },
  ],
}

const copied = (route: Route) => ('steps' in route ? { ...route, steps: [...route.steps] } : { ...route })

/** The valid plugin with one change. */
const told = (change: (plugin: any) => unknown): readonly string[] => {
  const plugin = { ...structuredClone({ ...sound, routes: [] }), routes: sound.routes.map(copied) }
  change(plugin)
  return faultsOf(plugin)
}

t.test('a valid manifest has no faults', async (t) => t.strictSame(faultsOf(sound), []))

const title = { format: 'an extension in lower case without a dot, such as "png"' }
const cases: readonly [change: (plugin: any) => unknown, ...faults: string[]][] = [
  [(p) => delete p.routes, 'routes is missing: it must be a list of routes'],
  [
    (p) => (p.option = {}),
    'option is unknown: did you mean options? Allowed are category, formats, options, rules, presets, wanted, routes, losses, heavy',
  ],
  [
    (p) => (p.category = 'Note'),
    'category must be a name of lower-case letters, digits and "-" that starts with a letter, not "Note"',
  ],
  [(p) => (p.formats['.abc'] = { mime: 'text/plain' }), `formats[".abc"]: the key must be ${title.format}`],
  [
    (p) => (p.formats['abc.gz'].mime = 'gzip'),
    'formats["abc.gz"].mime must be a media type such as "image/png", not "gzip"',
  ],
  [
    (p) => (p.formats.abc.sniff = /X:/),
    'formats.abc.sniff must be a function that takes the first bytes of a file and returns true or false, not an object',
  ],
  [(p) => (p.formats.abc.aliases = ['AB']), `formats.abc.aliases[0] must be ${title.format}, not "AB"`],
  [
    (p) => (p.options.level.type = 'int'),
    'options.level.type must be one of "integer", "number", "string", "boolean", not "int"',
  ],
  [
    (p) => delete p.options.level.description,
    'options.level.description is missing: it must be a string that is not empty',
  ],
  [
    (p) => (p.options.level.max = 3),
    'options.level.max is unknown; allowed are type, title, unit, description, enum, minimum, maximum, default, defaults, implied, effect',
  ],
  [(p) => (p.heavy = true), 'heavy must be a function that takes a job and returns true or false, not true'],
  [(p) => delete p.routes[0].to, 'routes[0] must have from and to, or transform: the pairs that it converts'],
  [
    (p) => delete p.routes[0].args,
    'routes[0] must have engine and args, steps, engine and convert, or via: how it converts its pairs',
  ],
  [(p) => (p.routes[0].from = 'txt'), 'routes[0].from must be a list of one or more extensions, each once, not "txt"'],
  [
    (p) => (p.routes[0].from = ['htm', 'htm']),
    'routes[0].from must be a list of one or more extensions, each once, not the list ["htm","htm"]',
  ],
  [
    (p) => (p.routes[0].args = ['-x']),
    'routes[0].args must be a function that takes a job and returns the arguments, not the list ["-x"]',
  ],
  [(p) => (p.routes[2].engines = []), 'routes[2].engines is unknown; allowed are from, to, transform, via'],
  [(p) => (p.routes[3].steps = []), 'routes[3].steps must be a list of one or more steps, not an empty list'],
  [
    (p) => (p.routes[3].steps[2] = { engine: pen, input: 'part.txt' }),
    'routes[3].steps[2].input: no earlier step writes "part.txt"',
  ],
  [
    (p) => (p.routes[3].steps[1] = { engine: pen }),
    'routes[3].steps[1].output is missing: a later step follows, so name the output of this step, or write false',
  ],
  [
    (p) => (p.routes[3].steps[0] = { engine: pen, output: '../parts/' }),
    'routes[3].steps[0].output must be a file such as "page.html" or "page-%03d.svg", a folder such as "pages/", or false, not "../parts/"',
  ],
  [
    (p) => (p.routes[3].steps[0] = { engine: pen, output: 'parts/', when: { sides: 2 } }),
    'routes[3].steps[0].when.sides is unknown; allowed are from, to, options, more, pages, moving, written, not',
  ],
  [
    (p) => (p.routes[3].steps[2] = { args: () => [] }),
    'routes[3].steps[2].engine is undefined: is it one of the engines that ship?',
  ],
  [(p) => (p.routes[1].uses = [undefined]), 'routes[1].uses[0] is undefined: is it one of the engines that ship?'],
  [
    (p) => (p.routes[0].engine = { ...pen, argv: undefined }),
    'routes[0].engine.argv is missing: it must be a function that takes a job and arguments and returns the whole command line',
  ],
  [
    (p) => (p.routes[0].engine = { ...pen, binary: ['bin/pen'] }),
    'routes[0].engine.binary[0] must be the name of a program, or its absolute path, not "bin/pen"',
  ],
  [
    (p) => (p.routes[0].engine = { ...pen, sandbox: { binds: ['fonts'] } }),
    'routes[0].engine.sandbox.binds[0] must be an absolute path, not "fonts"',
  ],
  [(p) => (p.formats['abc.gz'].aliases = ['ab']), 'formats["abc.gz"].aliases[0]: "ab" is already a name of abc'],
  [(p) => (p.routes[0].to = ['png']), 'routes[0].to[0]: "png" is not a format of this plugin, which has abc, abc.gz'],
  [(p) => (p.routes[0].to = ['ab']), 'routes[0].to[0]: "ab" is an alias; write "abc"'],
  [(p) => (p.routes[0].from = ['ab']), 'routes[0].from[0]: "ab" is an alias; write "abc"'],
  [
    (p) => Object.assign(p.routes[0], { from: ['abc'], to: ['abc'] }),
    'routes[0] has no pair: from and to are the same format; use transform to optimise this format',
  ],
  [
    (p) => (p.options.level.effect = ['png']),
    'options.level.effect[0]: "png" is not a format of this plugin, which has abc, abc.gz',
  ],
  [
    (p) => (p.options.level.defaults = { png: 3 }),
    'options.level.defaults: "png" is not a format of this plugin, which has abc, abc.gz',
  ],
  [(p) => (p.options.level.default = 10), 'options.level.default is 10, which the schema of the option does not allow'],
  [
    (p) => (p.options.level.defaults = { abc: 0 }),
    'options.level.defaults.abc is 0, which the schema of the option does not allow',
  ],
  [
    (p) => (p.presets = [{ name: 'best', title: 'Best', options: { level: 10 } }]),
    'presets[0].options.level is 10, which the schema of the option does not allow',
  ],
  [
    (p) => (p.presets = [{ name: 'best', title: 'Best', options: { size: 1 } }]),
    'presets[0].options.size is not an option of this plugin',
  ],
  [(p) => (p.rules[0].forbid = {}), 'rules[0].forbid forbids jobs without any option: add "required"'],
  [
    (p) => (p.rules[0].forbid = { required: 'level' }),
    'rules[0].forbid is not a valid JSON Schema: it/required must be array',
  ],
]
t.test('a fault is told by its place, and by what would be right', async (t) => {
  for (const [change, ...faults] of cases) t.strictSame(told(change), faults, faults[0]!)
})

t.test('several faults are reported at once, each only once', async (t) => {
  const faults = told((plugin) => {
    plugin.category = ''
    plugin.formats.abc.mime = ''
  })
  t.equal(faults.length, 2)
  for (const value of [undefined, null, 'note', [], () => sound]) {
    t.match(faultsOf(value), [/^the default export must be an object with category/], String(value))
  }
})

const found = new Map([[pen, { path: '/usr/bin/pen', version: '1', features: '' }]])
const own = (plugin: Plugin): LoadedPlugin => ({ plugin, name: plugin.category, state: 'open' })
const outside = (name: string, plugin: Plugin): LoadedPlugin => ({ plugin, name, outside: true, state: 'open' })
const message = (...loaded: LoadedPlugin[]) => {
  try {
    createCatalogue(loaded, found)
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
  return 'none'
}

t.test('if two plugins collide, the error names the external one, whatever their order', async (t) => {
  const bad: Plugin = { category: 'bad', formats: { abc: { mime: 'text/x-abc' } }, options: {}, routes: [] }
  const fault =
    'StartError: plugins../bad: formats.abc: declares abc, which the plugin note already has; a route can convert from abc without declaring it'
  t.equal(message(own(sound), outside('./bad', bad)), fault)
  t.equal(message(outside('./bad', bad), own(sound)), fault)
  const alias = { ...bad, formats: { xyz: { mime: 'text/x-xyz', aliases: ['ab'] } } }
  t.match(
    message(own(sound), outside('./bad', alias)),
    /plugins\.\.\/bad: formats\.xyz: declares ab, which the plugin note already has as an alias of abc/,
  )
  const category = { ...bad, category: 'note', formats: {} }
  t.equal(
    message(own(sound), outside('./bad', category)),
    'StartError: plugins../bad: category: "note" is already the category of the plugin note',
  )
})

t.test('a source format that no plugin has', async (t) => {
  const from = (source: string): Plugin => ({
    category: 'other',
    formats: { xyz: { mime: 'text/x-xyz' } },
    options: {},
    routes: [{ from: [source], to: ['xyz'], engine: pen, args: () => [] }],
  })
  t.equal(
    message(own(sound), outside('./other', from('ab'))),
    'StartError: plugins../other: routes[0].from: "ab" is an alias of abc; write "abc"',
  )
  const { missing, pairs } = createCatalogue([own(sound), outside('./other', from('acb'))], found)
  t.notOk(pairs.has('acb>xyz'))
  t.match(
    missing.find((pair) => pair.to === 'xyz'),
    { obstacles: ['plugins../other: routes[0].from: no plugin has the format "acb"'] },
    'is among what doctor lists',
  )
})
