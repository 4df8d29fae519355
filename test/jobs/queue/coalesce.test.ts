import t from 'tap'
import { coalesce } from '../../../kernel/jobs/queue/coalesce.ts'

t.test('calls that come together share a run, and none runs beside another', async (t) => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = coalesce((key) => {
    begun.push(key)
    return new Promise((resolve) => ends.push(resolve))
  })
  const turn = () => new Promise(setImmediate)
  const first = [ask('a'), ask('a'), ask('b')]
  await turn()
  t.strictSame(begun, ['a', 'b'])
  const later = [ask('a'), ask('a')]
  await turn()
  t.strictSame(begun, ['a', 'b'], 'the run began before these calls, so it does not serve them')
  for (const end of ends.splice(0)) end()
  await Promise.all(first)
  await turn()
  t.strictSame(begun, ['a', 'b', 'a'])
  for (const end of ends.splice(0)) end()
  await Promise.all(later)
})

t.test('a run that fails, fails its callers only', async (t) => {
  let runs = 0
  const ask = coalesce(async () => {
    if (++runs === 1) throw new Error('once')
  })
  const failed = ask('a')
  await Promise.resolve()
  const after = new Promise<void>((resolve) => setImmediate(() => resolve(ask('a'))))
  await t.rejects(failed, { message: 'once' })
  await after
  t.equal(runs, 2)
})
