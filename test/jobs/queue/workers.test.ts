/** Places and the budget of idle processes follow the memory of the machine, or of the control group. */
import t from 'tap'
import { makeMemoryGroup } from '../../../bench/memory-group.ts'
import { workersOf } from '../../../kernel/jobs/queue/workers.ts'
import { idleBudget, memoryOfMachine } from '../../../kernel/sandbox/limits/memory-left.ts'

const GiB = 1024 ** 3
const config = (workers: number | null = null, heavyWorkers: number | null = null) =>
  ({ queue: { workers, heavyWorkers } }) as Parameters<typeof workersOf>[0]

t.test('places', async (t) => {
  const places = (cores: number, memory: number) => workersOf(config(), memory, cores)
  t.same(places(2, 64 * GiB), { all: 4, heavy: 1 }, 'with enough memory, the cores decide')
  t.same(places(16, 64 * GiB), { all: 32, heavy: 8 })
  t.same(places(2, 2 * GiB), { all: 4, heavy: 1 })
  t.same(places(16, 2 * GiB), { all: 8, heavy: 2 }, 'many cores with little memory')
  t.same(places(16, 0.25 * GiB), { all: 2, heavy: 1 }, 'never none')
  t.same(workersOf(config(20, 10), GiB, 1), { all: 20, heavy: 10 }, 'the operator decides')
})

t.test('idle processes', async (t) => {
  t.equal(idleBudget(GiB / 2, 2 * GiB), GiB / 2)
  t.equal(idleBudget(GiB / 2, 64 * GiB), GiB / 2)
  t.equal(idleBudget(GiB / 2, GiB), GiB / 4)
})

const group = makeMemoryGroup(GiB / 2)
t.test('the limit of a control group counts', { skip: 'missing' in group && group.missing }, async (t) => {
  if ('missing' in group) return
  t.teardown(group.remove)
  const before = memoryOfMachine()
  t.equal(await group.within(async () => memoryOfMachine()), Math.min(before, GiB / 2))
  t.equal(memoryOfMachine(), before)
})
