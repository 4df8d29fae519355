import t from 'tap'
import { retryWhileUnavailable } from '../../kernel/jobs/retry.ts'

const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })

t.test('work is repeated while the database is away', async (t) => {
  const told: unknown[] = []
  const tries: boolean[] = []
  const work = async (again: boolean) => {
    tries.push(again)
    if (tries.length < 3) throw away()
    return 'done'
  }
  t.equal(await retryWhileUnavailable(work, { isOver: () => false, onFirstError: (error) => told.push(error) }), 'done')
  t.strictSame(tries, [false, true, true])
  t.match(told, [{ code: 'ECONNREFUSED' }])
})

t.test('an error that stays is thrown at once', async (t) => {
  let tries = 0
  const work = async () => {
    tries++
    throw new Error('wrong')
  }
  await t.rejects(retryWhileUnavailable(work, { isOver: () => false, onFirstError: () => t.fail('not told') }), {
    message: 'wrong',
  })
  t.equal(tries, 1)
})

t.test('when it is over there is no further attempt', async (t) => {
  let over = false
  let tries = 0
  const work = async () => {
    tries++
    throw away()
  }
  await t.rejects(
    retryWhileUnavailable(work, { isOver: () => over, onFirstError: () => setImmediate(() => (over = true)) }),
    { code: 'ECONNREFUSED' },
  )
  t.equal(tries, 1)
})
