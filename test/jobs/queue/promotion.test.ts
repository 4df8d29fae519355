import t from 'tap'
import type { NodeGroup } from '../../../kernel/database/tables/nodes.ts'
import { type BacklogEntry, promotable } from '../../../kernel/jobs/queue/promotion.ts'

type More = Partial<BacklogEntry['job']> & { running?: boolean; pair?: string }
const entry = (id: string, owner: string, more: More = {}) => {
  const { running = false, pair = 'png>webp', ...job } = more
  const base = { id, owner, shownTo: owner, batch: null, heavy: false, heavyConcurrency: 1, timeout: 1000 }
  return { job: { ...base, ...job }, fence: 0, node: running ? 'n1' : null, pair } satisfies BacklogEntry
}
const workers = { light: 4, heavy: 2 }
const equal = () => [{ name: 'a', nodes: 1, workers }]
const promoted = (entries: BacklogEntry[], all = true, takersOf: (pair: string) => NodeGroup[] = equal) =>
  promotable(entries, { takersOf, groupOf: (node) => ({ n1: 'a', n2: 'sound' })[node] }, all)
const ids = (...of: Parameters<typeof promoted>) =>
  promoted(...of)
    .map(({ entry }) => entry.job.id)
    .join(' ')

t.test('an owner holds at most half of the light places; another is not behind its flood', async (t) => {
  const flood = Array.from({ length: 50 }, (_, n) => entry(`a${n}`, 'a'))
  t.equal(ids([...flood, entry('b0', 'b')]), 'a0 a1 b0')
  const [first, ...others] = flood
  t.equal(ids([{ ...first!, node: 'n1' }, ...others, entry('b0', 'b')]), 'a1 b0', 'running ones count')
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

t.test('suspects of many nodes: on half of those that can run them', async (t) => {
  const all = [0, 1, 2, 3, 4].map((n) => entry(`s${n}`, `owner${n}`, { suspect: true }))
  const runs = (n: number) => entry(`r${n}`, 'r', { suspect: true, running: true })
  const of = (nodes: number) => () => [{ name: 'a', nodes, workers }]
  t.equal(ids(all, true, of(2)), 's0')
  t.equal(ids(all, true, of(3)), 's0')
  t.equal(ids(all, true, of(7)), 's0 s1 s2')
  t.equal(ids([runs(0), runs(1), ...all], true, of(7)), 's0', 'with those that run')
  t.equal(ids([runs(0), runs(1), runs(2), ...all], true, of(7)), '')
  const many = Array.from({ length: 50 }, (_, n) => entry(`s${n}`, `owner${n}`, { suspect: true }))
  t.equal(promoted(many, true, of(100)).length, 32, 'and never more')
  const takersOf = (pair: string) => (pair === 'mp4>mp3' ? of(2)() : of(8)())
  const sounds = [0, 1].map((n) => entry(`m${n}`, `m${n}`, { suspect: true, pair: 'mp4>mp3' }))
  t.equal(ids([...sounds, ...all], true, takersOf), 'm0 s0 s1 s2', 'few nodes can run some of them')
  const heavy = [0, 1].map((n) => entry(`h${n}`, 'a', { suspect: true, heavy: true, heavyConcurrency: 1 }))
  t.equal(ids([...heavy, ...all], true, of(4)), 'h0 s0', 'the plan counts')
})

t.test('nodes that differ: what waits for one does not hold back what another can run', async (t) => {
  const picture = { name: 'picture', nodes: 1, workers: { light: 4, heavy: 2 } }
  const sound = { name: 'sound', nodes: 1, workers: { light: 2, heavy: 1 } }
  const takersOf = (pair: string): NodeGroup[] => {
    if (pair === 'mp4>mp3') return [sound]
    return pair === 'png>webp' ? [picture, sound] : []
  }
  const sounds = [0, 1, 2].map((n) => entry(`s${n}`, 'a', { pair: 'mp4>mp3' }))
  const pictures = [0, 1, 2, 3].map((n) => entry(`p${n}`, 'a'))
  const nobody = entry('n0', 'a', { pair: 'stl>obj' })
  t.equal(ids([nobody, ...sounds, ...pictures], true, takersOf), 's0 p0 p1')
  const chosen = promoted([...sounds, ...pictures, entry('b0', 'b')], true, takersOf).map(({ groups }) => groups.join())
  t.strictSame(
    chosen,
    ['sound', 'picture', 'picture', 'picture,sound'],
    'half of the places of each group, for each owner',
  )
  const runs = { ...entry('r', 'a', { running: true }), node: 'n2' }
  t.equal(ids([runs, ...sounds, ...pictures], true, takersOf), 'p0 p1', 'a running job counts where it runs')
  const heavy = (id: string, pair: string, heavyConcurrency: number | null) =>
    entry(id, 'a', { pair, heavy: true, heavyConcurrency })
  t.equal(ids([heavy('h0', 'mp4>mp3', null), heavy('h1', 'mp4>mp3', null)], true, takersOf), 'h0')
  t.equal(
    ids([heavy('h0', 'mp4>mp3', 1), heavy('h1', 'png>webp', 1)], true, takersOf),
    'h0',
    'the plan counts over all',
  )
  const suspects = [entry('x', 'a', { pair: 'stl>obj', suspect: true }), entry('y', 'b', { suspect: true })]
  t.equal(ids(suspects, true, takersOf), 'y', 'a suspect that nobody can run does not hold back others')
})
