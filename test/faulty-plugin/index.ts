import type { Engine, Plugin, Route } from '../../kernel/contract.ts'

const thrown = (): never => {
  throw new Error('broken on purpose')
}
const rejected = async () => thrown()
/** Thrown values need not be errors. */
const throws = (what: unknown) => () => {
  throw what
}
const unreadable = new Proxy(new Error('unreadable'), { get: thrown, getPrototypeOf: thrown })

/** An engine that prints something, fails if its script does, and throws on request. */
const engine = (name: string, faults: Partial<Record<keyof Engine, unknown>> = {}): Engine => ({
  name,
  binary: ['sh'],
  version: ['-c', 'echo 1.0'],
  argv: (_job, args) => ['-c', ...args],
  ...(faults as Partial<Engine>),
})
/** Several lines, so that a reader is called again after it threw; then enough time to be killed. */
const talk = 'echo one; echo two; echo three; sleep 0.2; (printf "ODD\\n"; cat /in/*) > /out/file.odd'
const script = () => [talk]
const failing = () => ['echo said; exit 1']

type Way = Pick<Route, 'engine' & keyof Route> & Record<string, unknown>
/** By target: how it is made, and which function of the engine or plugin throws. */
export const ways: Record<string, Way & { engine: Engine }> = {
  progressmaker: { engine: engine('progressmaker', { progress: thrown }), args: script },
  progress: { engine: engine('progress', { progress: () => thrown }), args: script },
  progressundefined: { engine: engine('progressundefined', { progress: () => throws(undefined) }), args: script },
  progressunreadable: { engine: engine('progressunreadable', { progress: () => throws(unreadable) }), args: script },
  progressasync: { engine: engine('progressasync', { progress: () => rejected }), args: script },
  reason: { engine: engine('reason', { reason: thrown }), args: failing },
  reasonstring: { engine: engine('reasonstring', { reason: throws('text') }), args: failing },
  reasonasync: { engine: engine('reasonasync', { reason: rejected }), args: failing },
  reasonshape: {
    engine: engine('reasonshape', { reason: () => ({ code: 1, message: { toString: thrown } }) }),
    args: failing,
  },
  argv: { engine: engine('argv', { argv: thrown }), args: script },
  argvshape: { engine: engine('argvshape', { argv: () => 7 }), args: script },
  argvasync: { engine: engine('argvasync', { argv: rejected }), args: script },
  args: { engine: engine('args'), args: thrown },
  argsnull: { engine: engine('argsnull'), args: throws(null) },
  argsasync: { engine: engine('argsasync'), args: rejected },
  convert: { engine: engine('convert'), convert: rejected },
  convertsync: { engine: engine('convertsync'), convert: thrown },
  convertunreadable: { engine: engine('convertunreadable'), convert: throws(unreadable) },
  converttimer: {
    engine: engine('converttimer'),
    convert: () => new Promise(() => setTimeout(thrown, 20)),
  },
  convertloose: {
    engine: engine('convertloose'),
    convert: async () => {
      void rejected()
      await new Promise(() => {})
    },
  },
  // A run that nobody awaits fails after the plugin has given up.
  convertrun: {
    engine: engine('convertrun'),
    convert: async (_job: unknown, run: any) => {
      void run(ways.convertrun!.engine, ['sleep 0.3; exit 1'])
      thrown()
    },
  },
}

/** Reports NaN and too large numbers as progress. */
const oddities = ['0.5', Number.NaN, 7n, {}, null, Number.POSITIVE_INFINITY, -1]
const odd = engine('odd', {
  progress: () => {
    let at = 0
    return () => oddities[at++ % oddities.length]
  },
})

/** A plugin in which each function of the contract throws, chosen by the target. */
export default {
  category: 'faulty',
  formats: {
    // Called before the functions that recognise their own format.
    sniffed: { mime: 'text/x-sniffed', sniff: thrown },
    sniffedlater: { mime: 'text/x-sniffed-later', sniff: rejected as never },
    flt: { mime: 'text/x-faulty', sniff: (head) => Buffer.from(head.subarray(0, 3)).toString() === 'FLT' },
    odd: { mime: 'text/x-odd', sniff: (head) => Buffer.from(head.subarray(0, 3)).toString() === 'ODD' },
    ...Object.fromEntries(Object.keys(ways).map((name) => [name, { mime: `text/x-${name}` }])),
  },
  options: { heavy: { type: 'string', enum: ['throw', 'reject'], description: 'How the choice of a lane breaks.' } },
  routes: [
    { from: ['flt'], to: ['odd'], engine: odd, args: () => [`for i in 1 2 3 4 5; do ${talk}; done`] },
    ...Object.entries(ways).map(([name, way]) => ({ from: ['flt'], to: [name], ...way }) as unknown as Route),
  ],
  heavy: ({ options }) =>
    options.heavy === 'throw' ? thrown() : ((options.heavy && rejected()) as unknown as boolean),
} satisfies Plugin<{ heavy?: 'throw' | 'reject' }>
