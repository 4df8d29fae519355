/** Two services work on the same conversion: only the later claim writes. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { claimConversion, handBack, noteProgress, requeue } from '../../kernel/database/tables/conversion-claims.ts'
import { findConversion } from '../../kernel/database/tables/conversions.ts'
import { outputKey } from '../../kernel/jobs/output-keys.ts'
import { recover } from '../../kernel/jobs/recovery.ts'
import { guestOwner } from '../../kernel/people/owner.ts'
import { type ConversionService, onBothDatabases, setUp } from '../harness/conversions.ts'
import { isStored } from '../harness/stored.ts'
import { until } from '../harness/until.ts'

const alice = guestOwner('192.0.2.1', 'a')
const patience = new AbortController().signal

onBothDatabases(async (t, databaseUrl) => {
  /** A conversion that one service works on while a second one has claimed it too. */
  async function takenOver(t: Test, options: object = {}) {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const late = await setUp(t, databaseUrl, undefined, { before: () => gates[0].promise })
    const { key: fileId } = await late.upload(alice)
    const { conversionId: id } = await late.start(alice, { fileId, toFormat: 'upp', options: { ...options } })
    await until(() => late.runs() > 0)
    const winner = await late.another(undefined, { before: () => gates[1].promise })
    await recover({ ...winner, end: winner.conclude }, patience)
    await until(() => winner.runs() > 0)
    const row = async () => (await findConversion(winner.database, id))!
    const keys = [1, 2].map(async (fence) => outputKey({ ...(await row()), fence }, 'upp'))
    const [lateKey, winnerKey] = (await Promise.all(keys)) as [string, string]
    t.not(lateKey, winnerKey)
    t.match(await row(), { status: 'processing', attempts: 2, fence: 2 })
    return { late, winner, id, row, lateKey, winnerKey, gates }
  }

  /** Waits until a service has no conversion in progress. */
  async function untilIdle({ scheduler }: ConversionService) {
    await until(() => scheduler.running() === 0)
  }

  await t.test('a late end changes nothing, and removes only its own file', async (t) => {
    for (const lateFirst of [true, false]) {
      const { late, winner, row, gates, lateKey, winnerKey, id } = await takenOver(t)
      const end = async () => {
        gates[1].resolve()
        t.match(await winner.records.wait(alice, id, 60, patience), { status: 'completed', outputKey: winnerKey })
        await untilIdle(winner)
      }
      if (!lateFirst) await end()
      const before = await row()
      gates[0].resolve()
      await untilIdle(late)
      t.same(await row(), before)
      t.notOk(await isStored(winner.storage, lateKey), "the late one's file is gone")
      if (lateFirst) await end()
      const item = (await winner.downloadable(id))!
      t.equal(await text(winner.files.open(item)), 'LOWER')
      t.equal(await winner.storedBytes.used(alice), 10, 'one source and one result are charged')
      await winner.records.remove(alice, id)
      t.notOk(await isStored(winner.storage, winnerKey))
    }
  })

  await t.test('a late failure changes nothing and refunds nothing', async (t) => {
    const { late, winner, row, gates } = await takenOver(t, { refuse: true })
    gates[0].resolve()
    await untilIdle(late)
    t.match(await row(), { status: 'processing', error_code: null })
    t.same(await winner.quotas.usage(alice), { conversionsToday: 1, bytesToday: 5 })
    gates[1].resolve()
    await untilIdle(winner)
    t.match(await row(), { status: 'failed' })
    t.same(await winner.quotas.usage(alice), { conversionsToday: 0, bytesToday: 0 }, 'the end that counts gives back')
  })

  await t.test('a late hand-back changes nothing', async (t) => {
    const { late, winner, row, gates } = await takenOver(t, { hold: true })
    gates[0].resolve()
    await late.scheduler.close(0)
    t.match(await row(), { status: 'processing', attempts: 2, fence: 2 })
    gates[1].resolve()
    await winner.scheduler.close(0)
    t.match(await row(), { status: 'queued', attempts: 1, fence: 2 }, 'its own hand-back counts')
  })

  await t.test('no claim is made twice, and no expired claim writes', async (t) => {
    const { database, records } = await setUp(t, databaseUrl)
    await database('conversions').insert({ ...queuedRow('uploads/gone'), id: 'conv_1' })
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimConversion(database, 'conv_1')))
    const [claim, ...others] = claims.filter((each) => each !== undefined)
    t.same(others, [])
    t.match(claim, { status: 'processing', attempts: 1, fence: 1 })
    t.equal(await handBack(database, claim!), true)
    t.equal(await handBack(database, claim!), false, 'a repeated statement matches nothing')
    const next = await claimConversion(database, 'conv_1')
    t.match(next, { attempts: 1, fence: 2 }, 'the fence never falls')
    for (const write of [handBack, requeue]) t.equal(await write(database, claim!), false)
    await noteProgress(database, claim!, 50)
    t.match(await findConversion(database, 'conv_1'), { status: 'processing', attempts: 1, fence: 2, progress: 0 })
    t.equal(await records.countPending(alice), 1)
  })

  await t.test('a stored result that was not recorded is removed when its claim has expired', async (t) => {
    const { database, dataDir, storage, url, conclude, ...first } = await setUp(t, databaseUrl)
    await first.scheduler.close(0)
    await database('conversions').insert({ ...queuedRow('uploads/gone'), id: 'conv_1' })
    const claim = (await claimConversion(database, 'conv_1'))!
    const key = outputKey(claim, 'upp')
    await writeFile(join(dataDir, 'result'), 'LOWER')
    await storage.publish(join(dataDir, 'result'), key)
    const { remove } = storage
    const answers = Promise.withResolvers<void>()
    storage.remove = (key) => answers.promise.then(() => remove(key))
    const service = { ...first, database, storage, end: conclude }
    t.equal(await recover(service, patience), 1, 'without the storage, which may hang')
    answers.resolve()
    await until(async () => !(await isStored(storage, key)))
    t.match(await findConversion(database, 'conv_1'), { status: 'queued', attempts: 1, fence: 1 })
  })
})

function queuedRow(source_key: string) {
  const facts = { category: 'letters', from_format: 'low', to_format: 'upp', intent: 'convert', options: '{}' }
  const source = { source_key, source_size: 5, name: 'a', heavy: 0, created_at: Date.now() }
  return { owner: alice.id, plan: 'guest', status: 'queued', ...facts, ...source }
}
