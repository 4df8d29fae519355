import t from 'tap'
import type { Takers } from '../../kernel/database/tables/nodes.ts'
import { type BacklogEntry, promotable } from '../../kernel/queue/promotion.ts'

type More = Partial<BacklogEntry['job']> & { running?: boolean; pair?: string }
const entry = (id: string, owner: string, more: More = {}) => {
  const { running = false, pair = 'png>webp', ...job } = more
  const base = { id, owner, shownTo: owner, batch: null, heavy: false, heavyConcurrency: 1, timeout: 1000 }
  return { job: { ...base, ...job }, fence: 0, running, pair } satisfies BacklogEntry
}
const workers = { light: 4, heavy: 2 }
const equal = () => ({ groups: ['a'], workers })
const ids = (entries: BacklogEntry[], all = true, takersOf: (pair: string) => Takers = equal) =>
  promotable(entries, takersOf, all)
    .map(({ job }) => job.id)
    .join(' ')

t.test('an owner holds at most half of the light places; another is not behind its flood', async (t) => {
  const flood = Array.from({ length: 50 }, (_, n) => entry(`a${n}`, 'a'))
  t.equal(ids([...flood, entry('b0', 'b')]), 'a0 a1 b0')
  const [first, ...others] = flood
  t.equal(ids([{ ...first!, running: true }, ...others, entry('b0', 'b')]), 'a1 b0', 'running ones count')
})

t.test('heavy jobs: as many as the plan allows, and never more than run at once', async (t) => {
  const heavy = (id: string, owner: string, heavyConcurrency: number | null, running = false) =>
    entry(id, owner, { heavy: true, heavyConcurrency, running })
  t.equal(ids([heavy('a0', 'a', 1), heavy('a1', 'a', 1), entry('a2', 'a')]), 'a0 a2', 'light ones pass')
  t.equal(ids([heavy('a0', 'a', 1, true), heavy('a1', 'a', 1)]), '')
  t.equal(ids([0, 1, 2, 3].map((n) => heavy(`a${n}`, 'a', null))), 'a0 a1')
})

t.test('one suspect at a time, of all owners', async (t) => {
  const suspect = (id: string, owner: string, running = false) => entry(id, owner, { suspect: true, running })
  t.equal(ids([suspect('a0', 'a'), suspect('b0', 'b'), entry('a1', 'a')]), 'a1 a0')
  t.equal(ids([suspect('a0', 'a', true), suspect('b0', 'b')]), '', 'one runs')
  t.equal(ids([suspect('a0', 'a'), entry('a1', 'a')], false), 'a1', 'one owner alone does not tell')
})

t.test('nodes that differ: what waits for one does not hold back what another can run', async (t) => {
  const takersOf = (pair: string): Takers => {
    if (pair === 'mp4>mp3') return { groups: ['sound'], workers: { light: 2, heavy: 1 } }
    if (pair === 'png>webp') return { groups: ['picture', 'sound'], workers: { light: 6, heavy: 2 } }
    return { groups: [], workers: { light: 0, heavy: 0 } }
  }
  const sounds = [0, 1, 2].map((n) => entry(`s${n}`, 'a', { pair: 'mp4>mp3' }))
  const pictures = [0, 1, 2, 3].map((n) => entry(`p${n}`, 'a'))
  const nobody = entry('n0', 'a', { pair: 'stl>obj' })
  t.equal(ids([nobody, ...sounds, ...pictures], true, takersOf), 's0 p0 p1 p2')
  const heavy = [0, 1].map((n) => entry(`h${n}`, 'a', { pair: 'mp4>mp3', heavy: true, heavyConcurrency: null }))
  t.equal(ids(heavy, true, takersOf), 'h0', 'never more than the nodes that can run it')
  const suspects = [entry('x', 'a', { pair: 'stl>obj', suspect: true }), entry('y', 'b', { suspect: true })]
  t.equal(ids(suspects, true, takersOf), 'y', 'a suspect that nobody can run does not hold back others')
})
