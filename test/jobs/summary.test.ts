/** What reports say of the legs of a conversion, also of plugins that answer with nonsense. */
import t from 'tap'
import { faultsOf } from '../../kernel/catalogue/manifest/faults.ts'
import type { Facts, Loss, Plugin } from '../../kernel/contract.ts'
import { createFindings, summarise } from '../../kernel/jobs/work.ts'
import { examine } from '../../sdk/conformance.ts'

const plugin = (losses: readonly unknown[]): Plugin => ({
  category: 'test',
  formats: { x: { mime: 'text/x' } },
  options: {},
  losses: losses as readonly Loss[],
  routes: [],
})

type Leg = readonly [from: string, to: string, facts: Partial<Facts>, losses?: readonly unknown[]]

function summaryOf(legs: readonly Leg[], status: 'completed' | 'failed' = 'completed') {
  const findings = createFindings()
  for (const [index, [from, to, facts, losses = []]] of legs.entries())
    findings.legs.set(`${index}`, {
      plugin: plugin(losses),
      job: { from, to, options: {} },
      facts: { pages: [{}], moving: false, ...facts },
    })
  const run = { engine: 'a', args: [], exit: 0, ms: 1500, cpu: 0.25, memory: 7, said: [] }
  return summarise({ runs: [run, { ...run, memory: 9 }], findings }, status)
}

t.test('the source is that of the first leg, the result that of the last, losses those of all', async (t) => {
  const losses = [{ kind: 'streams', when: { to: ['b'] }, names: () => ['video'] }]
  const more = [
    { kind: 'alpha', when: { more: { clear: [true] } } },
    { kind: 'streams', when: {}, names: () => ['video', 'audio'] },
    { kind: 'animation', when: { moving: true } },
    { kind: 'fonts', when: {}, names: () => [] },
  ]
  const first: Leg = ['a', 'b', { source: { pages: 3 }, result: { pages: 9 } }, losses]
  const last: Leg = ['b', 'c', { source: { pages: 4 }, result: { width: 5 }, more: { clear: true } }, more]
  t.match(summaryOf([first, last]), { cpu: 0.5, wall: 3, memory: 9, source: { pages: 3 }, result: { width: 5 } })
  t.strictSame(summaryOf([first, last]).losses, [
    { kind: 'alpha', names: [] },
    { kind: 'streams', names: ['video', 'audio'] },
  ])
  t.strictSame(summaryOf([first, last, last]).result, { pages: 2 }, 'one for each page')
  const failed = summaryOf([first, last], 'failed')
  t.strictSame([failed.source, failed.result, failed.losses], [{ pages: 3 }, {}, []])
})

t.test('nonsense of plugins and of files neither fails a conversion nor fills a record', async (t) => {
  const wild = { pages: -1, frames: Number.NaN, seconds: '7', width: 1.23456, extra: 'x' }
  const odd = [
    {
      kind: 'fonts',
      when: {},
      names: () => Array.from({ length: 99 }, (_, at) => `${at}\u001b[1m\u202e/etc/passwd ${'x'.repeat(999)}`),
    },
    {
      kind: 'layers',
      when: {},
      names: () => {
        throw new Error('bug')
      },
    },
    { kind: 'alpha', when: {}, names: () => 'alpha' },
  ]
  const { source, losses } = summaryOf([['a', 'b', { source: wild as object }, odd]])
  t.strictSame(source, { width: 1.235 })
  t.strictSame(
    losses.map(({ kind }) => kind),
    ['fonts'],
  )
  t.equal(losses[0]!.names.length, 16)
  t.ok(losses[0]!.names.every((name) => name.length <= 80 && !/[\u001b\u202e]|passwd/.test(name)))
})

t.test('the manifest of a plugin says losses of known kinds', async (t) => {
  t.match(faultsOf(plugin([{ kind: 'sorrow', when: {} }])), [/^losses\[0\]\.kind must be one of alpha, animation/])
  t.match(faultsOf(plugin([{ kind: 'alpha', when: { nosuch: 1 } }])), [/^losses\[0\]\.when/])
  const faults = (names: () => unknown) =>
    examine(plugin([{ kind: 'fonts', when: {}, names }])).flatMap((finding) => finding.faults)
  t.strictSame(
    faults(() => 'Arial'),
    ['losses[0].names must return a list of strings'],
  )
  t.strictSame(
    faults(() => ['Arial']),
    [],
  )
})
