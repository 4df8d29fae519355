import t, { type Test } from 'tap'
import { createCatalogue } from '../../kernel/catalogue/catalogue.ts'
import type { LoadedPlugin } from '../../kernel/catalogue/loader.ts'
import { isDirect, leaderOf } from '../../kernel/catalogue/manifest/route.ts'
import { createOptionsValidator } from '../../kernel/catalogue/options.ts'
import type { Probe } from '../../kernel/catalogue/probe.ts'
import type { Engine, Plugin } from '../../kernel/contract.ts'

const engine = (name: string): Engine => ({ name, binary: [name], version: ['-v'], argv: (_job, args) => args })
const pen = engine('pen')
const brush = engine('brush')
const press = engine('press')
const args = () => []

const picture: Plugin = {
  category: 'picture',
  formats: {
    aaa: { mime: 'image/aaa', aliases: ['aa'] },
    bbb: { mime: 'image/bbb', label: 'B Picture' },
    ccc: { mime: 'image/ccc' },
  },
  options: {
    quality: {
      title: 'Quality',
      unit: 'points',
      type: 'integer',
      minimum: 1,
      maximum: 9,
      defaults: { bbb: 7 },
      effect: ['bbb'],
      description: 'Quality.',
    },
    exact: { type: 'boolean', default: false, description: 'Exact.' },
  },
  rules: [
    {
      forbid: { required: ['quality', 'exact'], properties: { exact: { const: true } } },
      message: 'options.quality not with exact',
    },
  ],
  presets: [
    { name: 'best', title: 'Best', options: { quality: 9 } },
    { name: 'plain', title: 'Plain', options: {} },
  ],
  wanted: ['ccc', 'bbb'],
  routes: [
    { engine: pen, from: ['aaa'], to: ['bbb', 'ccc'], args },
    { engine: brush, from: ['aaa'], to: ['bbb'], needs: ['fine'], args },
    { from: ['ddd'], to: ['aaa', 'bbb'], via: 'ccc' },
    { engine: press, from: ['ddd'], to: ['ccc'], args },
    { engine: brush, transform: ['aaa'], args },
    { engine: pen, from: ['ccc'], to: ['bbb'], args },
  ],
}
const text: Plugin = {
  category: 'text',
  formats: { ddd: { mime: 'text/ddd' } },
  options: { tone: { type: 'string', enum: ['high', 'low'], description: 'Tone.' } },
  routes: [{ engine: press, from: ['aaa'], to: ['ddd'], args }],
}

const found = (features = ''): Probe => ({ path: '/usr/bin/x', version: '1', features })
const missing: Probe = { missing: 'press is not installed (Debian: press)' }
const all = new Map<Engine, Probe>([
  [pen, found()],
  [brush, found('coarse fine-ish fine')],
  [press, found()],
])
const open = (...plugins: Plugin[]): LoadedPlugin[] => plugins.map((plugin) => ({ plugin, state: 'open' }))
const refused = (t: Test, expected: string, run: () => unknown, why?: string) => t.equal(code(run), expected, why ?? '')
const code = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as { code?: string }).code
  }
  return 'none'
}

t.test('order is preference, and prefer re-ranks by engine', async (t) => {
  const names = (prefer: string[]) =>
    createCatalogue(open(picture, text), all, { prefer })
      .pairs.get('aaa>bbb')!
      .methods.map(({ route }) => isDirect(route) && leaderOf(route).name)
  t.same(names([]), ['pen', 'brush'])
  t.same(names(['brush']), ['brush', 'pen'])
})

t.test('a missing engine or feature removes the route, and with its last route the pair', async (t) => {
  const poor = createCatalogue(
    open(picture, text),
    new Map<Engine, Probe>([...all, [press, missing], [brush, found('fineness')]]),
  )
  t.same(poor.pairs.get('aaa>bbb')!.methods.length, 1, 'brush has no "fine": a part of a word does not count')
  t.notOk(poor.pairs.has('ddd>ccc'))
  t.notOk(poor.pairs.has('ddd>bbb'), 'the detour lost its first leg')
  t.same(poor.missing.map((pair) => [`${pair.from}>${pair.to}`, pair.obstacles]).sort(), [
    ['aaa>ddd', [missing.missing]],
    ['ddd>aaa', ['via ccc: no route from ddd to ccc']],
    ['ddd>bbb', ['via ccc: no route from ddd to ccc']],
    ['ddd>ccc', [missing.missing]],
  ])
  refused(t, 'UNSUPPORTED_FORMAT', () => poor.find('ddd', 'ccc', 'convert'))
})

t.test('detours need two direct legs', async (t) => {
  const { pairs } = createCatalogue(open(picture, text), all)
  t.ok(pairs.has('ddd>bbb'), 'ddd to ccc to bbb')
  t.notOk(pairs.has('ddd>aaa'), 'nothing makes aaa from ccc')
})

t.test('a tool that the operator disabled stays known and answers 403', async (t) => {
  const closed = createCatalogue([{ plugin: picture, state: 'closed' }, ...open(text)], new Map([[press, found()]]))
  refused(t, 'FORBIDDEN', () => closed.find('aaa', 'bbb', 'convert'))
  t.equal(closed.tool('aaa-to-bbb')?.enabled, false)
  t.same(closed.suggest('aaa'), ['ddd'])
  const facts = createCatalogue([{ plugin: picture, state: 'facts' }, ...open(text)], all)
  t.same([...facts.pairs.keys()], ['aaa>ddd'], 'an unlisted plugin lends its formats alone')
  const tools = createCatalogue(open(picture, text), all, { disabled: ['aaa-to-c*', 'nothing'] })
  refused(t, 'FORBIDDEN', () => tools.find('aaa', 'ccc', 'convert'))
  refused(t, 'none', () => tools.find('aaa', 'bbb', 'convert'))
})

t.test('requests are checked: formats, same format, disabled', async (t) => {
  const { find, canonical } = createCatalogue(open(picture, text), all)
  t.equal(canonical('AA'), 'aaa')
  t.equal(find('AA', 'BBB', 'convert').to, 'bbb')
  for (const bad of ['nosuch', '__proto__', 'constructor', '', 'a a\n']) {
    refused(t, 'UNSUPPORTED_FORMAT', () => find('aaa', bad, 'convert'), JSON.stringify(bad))
  }
  refused(t, 'SAME_FORMAT_NOOP', () => find('aaa', 'aa', 'convert'))
  t.equal(find('aa', 'aaa', 'transform').to, 'aaa')
  // Bbb has nothing to optimise it.
  refused(t, 'UNSUPPORTED_FORMAT', () => find('bbb', 'bbb', 'transform'))
})

t.test('tools, formats and suggestions are consistent', async (t) => {
  const { tools, formats, suggest, tool } = createCatalogue(open(picture, text), all)
  t.same(
    tools.map(({ slug }) => slug),
    ['aaa-to-bbb', 'aaa-to-ccc', 'ccc-to-bbb', 'ddd-to-bbb', 'ddd-to-ccc', 'optimize-aaa', 'aaa-to-ddd'],
  )
  t.equal(tool('aaa-to-bbb')!.name, 'Convert AAA to B Picture')
  t.equal(tool('optimize-aaa')!.jobIntent, 'transform')
  t.same(formats.find(({ extension }) => extension === 'aaa')!.targets, ['bbb', 'ccc', 'aaa', 'ddd'])
  t.same(suggest('aaa'), ['ccc', 'bbb', 'ddd'], 'wanted first, the source left out')
  const { options } = tool('aaa-to-bbb')! as any
  t.equal(options.properties.quality.default, 7)
  t.notMatch(options.properties.quality.description, /No effect/)
  t.match((tool('aaa-to-ccc')!.options as any).properties.quality.description, /No effect for ccc\.$/)
  t.equal((tool('aaa-to-ccc')!.options as any).properties.quality['x-effect'], false)
  t.equal(options.additionalProperties, false)
  t.match(options.properties, { quality: { title: 'Quality', unit: 'points' }, exact: { title: 'exact' } })
  t.strictSame(options['x-presets'], picture.presets)
  t.notOk('x-presets' in tool('aaa-to-ccc')!.options, 'its options have no effect there')
})

t.test('options: unknown, then not applicable, then invalid', async (t) => {
  const { check, complete } = createOptionsValidator([picture, text])
  const judge = (options: object) => code(() => check(picture, 'bbb', options as Record<string, unknown>))
  t.equal(judge({ quality: 3 }), 'none')
  t.equal(judge({ quality: 99, tone: 'high', zzz: 1 }), 'UNKNOWN_OPTION')
  t.equal(judge({ quality: 99, tone: 'high' }), 'OPTION_NOT_APPLICABLE')
  for (const quality of [0, 10, 2.5, '3', null, [3], {}, true])
    t.equal(judge({ quality }), 'INVALID_OPTIONS', JSON.stringify(quality))
  t.equal(judge({ quality: 3, exact: true }), 'INVALID_OPTIONS')
  t.equal(judge(JSON.parse('{"__proto__":{"quality":3}}')), 'UNKNOWN_OPTION')
  t.equal(judge({ constructor: 1 }), 'UNKNOWN_OPTION')
  t.same(complete(picture, 'bbb', 'convert', {}), { quality: 7, exact: false })
  // An optimisation has no quality unless it is given.
  t.same(complete(picture, 'bbb', 'transform', {}), { exact: false })
  t.same(complete(picture, 'ccc', 'convert', { quality: 2 }), { quality: 2, exact: false })
})

t.test('the message for a refused option says what it accepts and what was given', async (t) => {
  const options: Plugin['options'] = {
    quality: { type: 'integer', minimum: 1, maximum: 100, description: 'Quality.' },
    metadata: { type: 'string', enum: ['remove', 'keep'], description: 'Metadata.' },
    framerate: { type: 'integer', enum: [24, 30, 60], description: 'Frames a second.' },
    exact: { type: 'boolean', description: 'Exact.' },
    scale: { type: 'number', minimum: 0.5, description: 'Scale.' },
  }
  const { check } = createOptionsValidator([{ ...picture, options, rules: [] }])
  const told = (given: Record<string, unknown>) => {
    try {
      check({ ...picture, options, rules: [] }, 'bbb', given)
    } catch (error) {
      return (error as Error).message
    }
    return 'none'
  }
  const quality = 'options.quality must be an integer from 1 to 100, not'
  t.equal(told({ quality: '80' }), `${quality} a string`)
  t.equal(told({ quality: 101 }), `${quality} 101`)
  t.equal(told({ quality: 2.5 }), `${quality} 2.5`)
  t.equal(told({ quality: null }), `${quality} null`)
  t.equal(told({ quality: [80] }), `${quality} an array`)
  t.equal(told({ quality: {} }), `${quality} an object`)
  t.equal(told({ quality: true }), `${quality} a boolean`)
  t.equal(told({ metadata: 1 }), 'options.metadata must be "remove" or "keep", not 1')
  t.equal(told({ metadata: 'drop' }), 'options.metadata must be "remove" or "keep"')
  t.equal(told({ framerate: 25 }), 'options.framerate must be 24, 30 or 60, not 25')
  t.equal(told({ framerate: '24' }), 'options.framerate must be 24, 30 or 60, not a string')
  t.equal(told({ exact: 'true' }), 'options.exact must be true or false, not a string')
  t.equal(told({ scale: 0.1 }), 'options.scale must be a number of at least 0.5, not 0.1')
})
