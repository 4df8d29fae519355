/** Two services share a database: together they admit what one would. On both databases. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Config } from '../../config/config.ts'
import { guestOwner } from '../../kernel/people/owner.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { until } from '../harness/until.ts'

const alice = guestOwner('192.0.2.1', 'a')
const bob = guestOwner('192.0.2.2', 'b')

onBothDatabases(async (t, databaseUrl) => {
  async function two(t: Test, change: (config: Config) => void) {
    const first = await setUp(t, databaseUrl, change)
    const services = [first, await first.another(change)]
    const { key: fileId } = await first.upload(alice)
    const { key: other } = await first.upload(bob)
    const ask = (n: number, owner = alice) =>
      services[n % 2]!.start(owner, {
        fileId: owner === alice ? fileId : other,
        toFormat: 'upp',
        options: { hold: true },
      }).then(({ conversionId }) => conversionId)
    const outcome = (n: number, owner = alice) =>
      ask(n, owner).then(
        () => 'accepted',
        ({ code }) => code as string,
      )
    const inStatus = async (status: string) =>
      Number((await first.database('conversions').where({ status }).count({ n: '*' }))[0]!.n)
    /** Waits until at least so many run. */
    const untilRunning = (number: number) => until(async () => (await inStatus('processing')) >= number)
    return { first, services, ask, outcome, inStatus, untilRunning }
  }

  await t.test("an owner's pending conversions are counted over all services", async (t) => {
    const { first, ask, outcome, untilRunning } = await two(t, ({ plans }) => {
      plans.guest = { ...plans.guest, pendingJobs: 5, conversionsPerDay: null }
    })
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => outcome(n)))
    t.equal(outcomes.filter((code) => code === 'accepted').length, 5)
    t.equal(outcomes.filter((code) => code === 'QUEUE_FULL_USER').length, 15)
    t.equal((await first.quotas.usage(alice)).conversionsToday, 5, 'refused ones are not charged')
    t.equal(await outcome(0, bob), 'accepted', 'another owner has places')
    // A service runs two light conversions of an owner. Those that run still count.
    await untilRunning(3)
    t.equal(await outcome(1), 'QUEUE_FULL_USER')
    const [held] = await first.database('conversions').where({ owner: alice.id, status: 'queued' })
    await first.records.remove(alice, held.id)
    t.match(await ask(1), /^conv_/, 'a cancelled one frees its place at once')
    t.equal(await outcome(0), 'QUEUE_FULL_USER')
  })

  await t.test('waiting conversions are counted over all services', async (t) => {
    const { first, outcome, untilRunning } = await two(t, ({ plans, queue }) => {
      plans.guest = { ...plans.guest, pendingJobs: null, conversionsPerDay: null }
      queue.capacity = 3
    })
    for (let n = 0; n < 4; n++) {
      t.equal(await outcome(n), 'accepted')
      await untilRunning(n + 1)
    }
    for (let n = 0; n < 3; n++) t.equal(await outcome(n), 'accepted', 'waits')
    t.strictSame([await outcome(0), await outcome(1, bob)], ['QUEUE_FULL_GLOBAL', 'QUEUE_FULL_GLOBAL'])
    const [waiting] = await first.database('conversions').where({ status: 'queued' })
    await first.records.remove(alice, waiting.id)
    t.equal(await outcome(1, bob), 'accepted')
  })

  await t.test('many owners at the same moment do not exceed the capacity together', async (t) => {
    const { first, services, ask, inStatus, untilRunning } = await two(t, ({ plans, queue }) => {
      plans.guest = { ...plans.guest, pendingJobs: null, conversionsPerDay: null }
      queue.capacity = 3
    })
    // Each service then runs as many of one owner as it may.
    for (let n = 0; n < 4; n++) {
      await ask(n)
      await untilRunning(n + 1)
    }
    const owners = Array.from({ length: 30 }, (_, n) => guestOwner(`192.0.2.${n + 10}`, `${n}`))
    const files = await Promise.all(owners.map((owner) => first.upload(owner)))
    const hold = { toFormat: 'upp', options: { hold: true } }
    const outcomes = await Promise.all(
      owners.map((owner, n) =>
        services[n % 2]!.start(owner, { fileId: files[n]!.key, ...hold }).then(
          () => 'accepted',
          ({ code }) => code as string,
        ),
      ),
    )
    const refused = outcomes.filter((code) => code === 'QUEUE_FULL_GLOBAL').length
    const waiting = await inStatus('queued')
    t.equal((await inStatus('processing')) + waiting, 4 + 30 - refused, 'each accepted one is there')
    t.ok(waiting <= 3, `${waiting} wait`)
    for (const { quotas } of services)
      t.equal((await quotas.usage(owners[0]!)).conversionsToday, outcomes[0] === 'accepted' ? 1 : 0)
  })

  await t.test('close to the capacity, a client beyond its own limit waits for nobody', async (t) => {
    const { first, ask, outcome } = await two(t, ({ plans, queue }) => {
      plans.guest = { ...plans.guest, pendingJobs: 1, conversionsPerDay: null }
      queue.capacity = 3
    })
    await ask(0)
    // SQLite runs one transaction after another, without waits between their statements.
    if (!first.url) return
    // Such as that of a node that has stopped in the middle of its transaction.
    const lock = await first.database.transaction()
    await lock.raw('set session idle_transaction_timeout = 0')
    await lock('admission_lock').forUpdate()
    t.equal(await outcome(1), 'QUEUE_FULL_USER')
    const waiting = outcome(0, bob)
    t.equal(await Promise.race([waiting, delay(500, 'waits')]), 'waits', 'one that fits waits its turn')
    await lock.rollback()
    t.equal(await waiting, 'accepted')
  })
}, true)
