import t from 'tap'
import type { NodeGroup } from '../../../kernel/database/tables/nodes.ts'
import { type BacklogEntry, promotable } from '../../../kernel/jobs/queue/promotion.ts'

type More = Partial<BacklogEntry['job']> & { running?: boolean; pair?: string }
const entry = (id: string, owner: string, more: More = {}) => {
  const { running = false, pair = 'png>webp', ...job } = more
  const base = { id, lane: owner, owner, batch: null, heavy: false, heavyConcurrency: 1, timeout: 1000 }
  return { job: { ...base, ...job }, fence: 0, node: running ? 'n1' : null, pair } satisfies BacklogEntry
}
const workers = { light: 4, heavy: 2 }
const equal = () => [{ name: 'a', nodes: 1, workers }]
const promoted = (entries: BacklogEntry[], takersOf: (pair: string) => NodeGroup[] = equal) =>
  promotable(entries, { takersOf, groupOf: (node) => ({ n1: 'a', n2: 'sound' })[node] })
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
  t.equal(ids([nobody, ...sounds, ...pictures], takersOf), 's0 p0 p1')
  const chosen = promoted([...sounds, ...pictures, entry('b0', 'b')], takersOf).map(({ groups }) => groups.join())
  t.strictSame(
    chosen,
    ['sound', 'picture', 'picture', 'picture,sound'],
    'half of the places of each group, for each owner',
  )
  const runs = { ...entry('r', 'a', { running: true }), node: 'n2' }
  t.equal(ids([runs, ...sounds, ...pictures], takersOf), 'p0 p1', 'a running job counts where it runs')
  const heavy = (id: string, pair: string, heavyConcurrency: number | null) =>
    entry(id, 'a', { pair, heavy: true, heavyConcurrency })
  t.equal(ids([heavy('h0', 'mp4>mp3', null), heavy('h1', 'mp4>mp3', null)], takersOf), 'h0')
  t.equal(ids([heavy('h0', 'mp4>mp3', 1), heavy('h1', 'png>webp', 1)], takersOf), 'h0', 'the plan counts over all')
})
