/** Two services share a database: together they admit and charge what one would. On both databases. */
import type { Test } from 'tap'
import type { Config, Plan } from '../../config/config.ts'
import { guestOwner, type Owner } from '../../kernel/people/owner.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { until } from '../harness/until.ts'

const alice = guestOwner('192.0.2.1', 'a')
const bob = guestOwner('192.0.2.2', 'b')
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

onBothDatabases(async (t, databaseUrl) => {
  /** Two services with these limits of guests, one of which is asked after the other. */
  async function two(t: Test, guest: Partial<Plan>, capacity = 100) {
    const change = ({ plans, queue }: Config) => {
      Object.assign(plans.guest, { conversionsPerDay: null, pendingJobs: null, ...guest })
      queue.capacity = capacity
    }
    const first = await setUp(t, databaseUrl, change)
    const services = [first, await first.another(change)]
    const sources = new Map<string, string>()
    let asked = 0
    /** Starts a conversion that does not end. Resolves to its id. */
    async function ask(owner: Owner): Promise<string> {
      const service = services[asked++ % 2]!
      const fileId = sources.get(owner.id) ?? (await first.upload(owner)).key
      sources.set(owner.id, fileId)
      return (await service.start(owner, { fileId, toFormat: 'upp', options: { hold: true } })).conversionId
    }
    const outcome = (owner: Owner) =>
      ask(owner).then(
        () => 'accepted',
        ({ code, message }) => `${code} ${/\d+/.exec(message)}`,
      )
    const rows = (status: string) => first.database('conversions').where({ status })
    /** Waits until at least so many run. */
    const untilRunning = (count: number) => until(async () => (await rows('processing')).length >= count)
    /** Starts as many as both services run of one owner. */
    async function fill(): Promise<void> {
      for (const n of numbers(4)) {
        await ask(alice)
        await untilRunning(n + 1)
      }
    }
    return { first, services, ask, outcome, rows, untilRunning, fill }
  }

  await t.test('of concurrent requests, exactly as many succeed as the plan allows', async (t) => {
    for (const [limit, plan, allowed] of [
      ['QUOTA_EXCEEDED', { conversionsPerDay: 7 }, 7],
      ['QUOTA_EXCEEDED', { bytesPerDay: 32 }, 6],
      ['QUEUE_FULL_USER', { pendingJobs: 5 }, 5],
    ] as const) {
      const { services, outcome } = await two(t, plan)
      // Also for the first request of the day, before the row with the count exists.
      const outcomes = await Promise.all(numbers(20).map(() => outcome(alice)))
      t.equal(outcomes.filter((each) => each === 'accepted').length, allowed, JSON.stringify(plan))
      t.equal(outcomes.filter((each) => each.startsWith(limit)).length, 20 - allowed)
      for (const { quotas } of services)
        t.same(
          await quotas.usage(alice),
          { conversionsToday: allowed, bytesToday: allowed * 5 },
          'refused ones are free',
        )
      t.equal(await outcome(bob), 'accepted', 'another owner has places')
    }
  })

  await t.test('those that run are pending too, and a cancelled one frees its place at once', async (t) => {
    const { first, ask, outcome, untilRunning, rows } = await two(t, { pendingJobs: 3 })
    for (const _ of numbers(3)) await ask(alice)
    await untilRunning(2)
    t.equal(await outcome(alice), 'QUEUE_FULL_USER 3')
    const [pending] = await rows('processing')
    await first.records.remove(alice, pending.id)
    await until(async () => (await rows('processing')).every(({ id }) => id !== pending.id))
    t.equal(await outcome(alice), 'accepted')
    t.equal(await outcome(alice), 'QUEUE_FULL_USER 3')
  })

  await t.test('many owners at the same moment do not exceed the capacity together', async (t) => {
    const { first, outcome, rows, fill } = await two(t, {}, 3)
    await fill()
    const outcomes = await Promise.all(numbers(30).map((n) => outcome(guestOwner(`192.0.2.${n + 10}`, `${n}`))))
    const refused = outcomes.filter((each) => each.startsWith('QUEUE_FULL_GLOBAL')).length
    const pending = async () => [...(await rows('processing')), ...(await rows('queued'))]
    t.equal((await pending()).length, 4 + 30 - refused, 'each accepted one is there')
    for (let more = 0; (await outcome(guestOwner(`198.51.100.${more}`, `${more}`))) === 'accepted'; ) more++
    const waiting = await rows('queued')
    t.equal(waiting.length, 3)
    await first.records.remove({ ...alice, id: waiting[0].owner }, waiting[0].id)
    t.equal(await outcome(bob), 'accepted')
  })

  await t.test('close to the capacity, a client beyond its own limit waits for nobody', async (t) => {
    const { first, ask, outcome } = await two(t, { pendingJobs: 1 }, 3)
    await ask(alice)
    // SQLite runs one transaction after another, without waits between their statements.
    if (!first.url) return
    // Such as that of a node that has stopped in the middle of its transaction.
    const lock = await first.database.transaction()
    await lock.raw('set session idle_transaction_timeout = 0')
    await lock('admission_lock').forUpdate()
    t.equal(await outcome(alice), 'QUEUE_FULL_USER 1')
    const waiting = outcome(bob)
    await lock.rollback()
    t.equal(await waiting, 'accepted')
  })

  await t.test('guests of one network share its pending conversions; larger networks may have more', async (t) => {
    const { outcome } = await two(t, { pendingJobs: 1 })
    let made = 0
    const outcomes = async (...addresses: string[]) => {
      const each = new Set<string>()
      for (const address of addresses) each.add(await outcome(guestOwner(address, `print-${made++}`)))
      return [...each]
    }
    t.strictSame(await outcomes('192.0.2.1', '192.0.2.2', '192.0.2.3'), ['accepted'], 'each address')
    t.strictSame(await outcomes('192.0.2.1'), ['QUEUE_FULL_USER 1'])
    t.strictSame(await outcomes(...numbers(4).map((n) => `2001:db8:1:${n}::1`)), ['accepted'], 'four /64 of one /56')
    t.strictSame(await outcomes('2001:db8:1:3::2'), ['QUEUE_FULL_USER 1'], 'the same /64')
    t.strictSame(await outcomes('2001:db8:1:4::1', '2001:db8:1:ff::1'), ['QUEUE_FULL_USER 4'], 'the same /56')
    const others = numbers(3).flatMap((m) => numbers(4).map((n) => `2001:db8:1:${m + 1}0${n}::1`))
    t.strictSame(await outcomes(...others), ['accepted'], 'four /56 of one /48')
    t.strictSame(await outcomes('2001:db8:1:500::1', '2001:db8:1:ffff::1'), ['QUEUE_FULL_USER 16'], 'the same /48')
    t.strictSame(await outcomes('2001:db8:2::1', '2001:db8::1'), ['accepted'], 'its neighbours')
  })

  await t.test('guests of one address have one lane, whatever their fingerprints', async (t) => {
    const { start, upload, database } = await setUp(t, databaseUrl, ({ plans }) => {
      Object.assign(plans.guest, { conversionsPerDay: null, pendingJobs: null })
    })
    const ask = async (guest: Owner) => {
      const { key: fileId } = await upload(guest)
      return start(guest, { fileId, toFormat: 'upp', options: { hold: true } })
    }
    for (const n of numbers(5)) await ask(guestOwner('192.0.2.1', `print-${n}`))
    t.equal((await ask(bob)).queued, false, 'a guest of another address finds a place')
    const owners = () => database('conversions').where({ status: 'processing' }).pluck('owner')
    await until(async () => (await owners()).length === 3)
    t.equal((await owners()).filter((owner) => owner === bob.id).length, 1)
  })
}, true)
