/** In which lane an accepted conversion waits. */

import { NeedsHeavy } from '../../kernel/jobs/steps.ts'
import { guestOwner, type Owner } from '../../kernel/people/owner.ts'
import { onBothDatabases, setUp } from '../harness/conversions.ts'
import { until } from '../harness/until.ts'

const alice = guestOwner('192.0.2.1', 'a')
const bob = guestOwner('192.0.2.2', 'b')

onBothDatabases(async (t, databaseUrl) => {
  await t.test('guests of one address have one lane, whatever their fingerprints', async (t) => {
    const service = await setUp(t, databaseUrl, ({ plans }) => {
      plans.guest = { ...plans.guest, conversionsPerDay: null, pendingJobs: null }
    })
    const ask = async (guest: Owner) => {
      const { key: fileId } = await service.upload(guest)
      return service.start(guest, { fileId, toFormat: 'upp', options: { hold: true } })
    }
    const crowd = Array.from({ length: 12 }, (_, n) => guestOwner('192.0.2.1', `print-${n}`))
    for (const guest of crowd) await ask(guest)
    t.equal((await ask(bob)).queued, false, 'a guest of another address finds a place')
    const rows = () => service.database('conversions').where({ status: 'processing' })
    await until(async () => (await rows()).length === 3)
    t.equal((await rows()).filter(({ owner }) => owner === bob.id).length, 1)
    t.equal(new Set(crowd.map(({ id }) => id)).size, 12, 'they see nothing of each other')
  })

  await t.test('guests of one network share its pending conversions; larger networks may have more', async (t) => {
    const service = await setUp(t, databaseUrl, ({ plans }) => {
      plans.guest = { ...plans.guest, conversionsPerDay: null, pendingJobs: 1 }
    })
    let made = 0
    const outcome = async (address: string) => {
      const guest = guestOwner(address, `print-${made++}`)
      const { key: fileId } = await service.upload(guest)
      const started = service.start(guest, { fileId, toFormat: 'upp', options: { hold: true } })
      return started.then(
        () => 'accepted',
        ({ code, message }) => `${code} ${/\d+/.exec(message)}`,
      )
    }
    const outcomes = async (...addresses: string[]) => {
      const each: string[] = []
      for (const address of addresses) each.push(await outcome(address))
      return [...new Set(each)]
    }
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
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

  await t.test(
    'a light one that turns out to be heavy runs again as such, and the first time does not count',
    async (t) => {
      let attempts = 0
      const before = async () => {
        if (++attempts === 1) throw new NeedsHeavy()
      }
      const service = await setUp(t, databaseUrl, undefined, { before })
      const { key: fileId } = await service.upload(alice)
      const { conversionId: id } = await service.start(alice, { fileId, toFormat: 'upp' })
      const read = () => service.database('conversions').where({ id }).first()
      await until(async () => !['queued', 'processing'].includes((await read()).status))
      t.match(await read(), { status: 'completed', attempts: 1, fence: 2, heavy: 1 })
      t.equal(attempts, 2)
    },
  )
}, true)
