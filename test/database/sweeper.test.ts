import t, { type Test } from 'tap'
import { sweepForever } from '../../kernel/boot/sweeper.ts'

/** Sweeps until `all` were called so often together. Resolves to the calls: the name of a kind, and its limit. */
async function sweep(
  t: Test,
  { expired, all, leads = () => true }: { expired: Record<string, number>; all: number; leads?: () => boolean },
) {
  const stopped = new AbortController()
  const calls: string[] = []
  const limits = new Set<number>()
  const lines: string[] = []
  const make = (name: string) => async (_now: number, limit: number) => {
    calls.push(name)
    limits.add(limit)
    if (calls.length === all) stopped.abort()
    if (expired[name]! < 0) throw new Error('away')
    const removed = Math.min(limit, expired[name]!)
    expired[name]! -= removed
    return removed
  }
  const own = [make('own')]
  const shared = Object.keys(expired).filter((name) => name !== 'own')
  await sweepForever({ own, shared: shared.map(make) }, leads, (error) => lines.push(`${error}`), stopped.signal)
  t.strictSame([...limits], [100], 'at most a hundred at a time')
  return { calls: calls.join(' '), lines }
}

t.test('many expired things of one kind do not keep those of another', async (t) => {
  const { calls } = await sweep(t, { expired: { own: 0, files: 350, conversions: 150 }, all: 7 })
  t.equal(calls, 'own files conversions files conversions files files')
})

t.test('a sweep that fails does not keep others, and is told of', async (t) => {
  const { calls, lines } = await sweep(t, { expired: { own: 0, files: -1, conversions: 100 }, all: 4 })
  t.equal(calls, 'own files conversions conversions')
  t.match(lines, [/away/])
})

t.test('a node that no longer leads stops in the middle of what is shared', async (t) => {
  const expired = { own: 500, files: 500 }
  const looks = [true, true, false]
  const { calls } = await sweep(t, { expired, all: 5, leads: () => looks.shift() ?? false })
  t.equal(calls, 'own files own files own')
})
