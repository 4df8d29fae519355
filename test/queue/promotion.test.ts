import t from 'tap'
import { type BacklogEntry, promotable } from '../../kernel/queue/promotion.ts'

const entry = (id: string, owner: string, more: Partial<BacklogEntry['job']> & { running?: boolean } = {}) => {
  const { running = false, ...job } = more
  const base = { id, owner, shownTo: owner, batch: null, heavy: false, heavyConcurrency: 1, timeout: 1000 }
  return { job: { ...base, ...job }, fence: 0, running } satisfies BacklogEntry
}
const workers = { light: 4, heavy: 2 }
const ids = (entries: BacklogEntry[], all = true) =>
  promotable(entries, workers, all)
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
