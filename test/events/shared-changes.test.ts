/** What nodes know of conversions by what others tell them, over a real Redis. */
import { pino } from 'pino'
import t from 'tap'
import { openRedis } from '../../kernel/cluster/redis.ts'
import { createBus, type Message } from '../../kernel/events/bus.ts'
import { createConversionEvents } from '../../kernel/events/events.ts'
import { createSharedChanges } from '../../kernel/events/shared-changes.ts'
import { createLog, logOptions } from '../../kernel/log.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'

t.test(
  'each node knows which conversions are pending, until one says that they ended',
  { timeout: 600_000 },
  async (t) => {
    await using server = await startRedis()
    const log = createLog('silent')
    const open = async (node: string) => {
      const place = await openRedis(server.url, 'secret', log)
      t.teardown(() => place[Symbol.asyncDispose]())
      const { redis, prefix } = place
      const bus = await createBus({ redis, listener: place.another(), prefix, node, role: 'all', log })
      return { bus, changes: createSharedChanges(bus, createConversionEvents()) }
    }
    const one = await open('node_1')
    const two = await open('node_2')
    const owner = 'guest_1'
    const batch = null
    const both = (conversion: string) => [one, two].map(({ changes }) => changes.isPending(conversion, owner))
    const settles = async (conversion: string, expected: boolean) => {
      await until(() => two.changes.isPending(conversion, owner) === expected)
      t.strictSame(both(conversion), [expected, expected], `${conversion}: ${expected}`)
    }
    t.strictSame(both('conv_1'), [false, false], 'nobody has told')
    for (const conversion of ['conv_1', 'conv_2', 'conv_3'])
      one.changes.publish({ conversion, owner, batch, accepted: true })
    await settles('conv_3', true)
    t.strictSame(both('conv_1'), [true, true])
    t.notOk(two.changes.isPending('conv_1', 'guest_2'), 'another owner learns nothing')
    one.changes.publish({ conversion: 'conv_1', owner, batch, begun: true })
    one.changes.publish({ conversion: 'conv_1', owner, batch, progress: true })
    one.changes.publish({ conversion: 'conv_2', owner, batch })
    await settles('conv_2', false)
    t.strictSame(both('conv_1'), [true, true], 'it has not ended')
    one.changes.publish({ conversion: 'conv_4', owner, batch })
    one.changes.publish({ conversion: 'conv_4', owner, batch, accepted: true })
    one.changes.publish({ conversion: 'conv_5', owner, batch, accepted: true })
    await settles('conv_5', true)
    t.strictSame(both('conv_4'), [false, false], 'its end was told before its start')
    for (const { bus } of [one, two]) bus.noteMissed()
    t.strictSame([...both('conv_1'), ...both('conv_3')], [false, false, false, false], 'an end may have been missed')
  },
)

t.test('what nodes tell each other', { timeout: 600_000 }, async (t) => {
  await using server = await startRedis()
  const log = createLog('silent')
  const open = async (role: 'all' | 'api' | 'worker') => {
    const { redis, prefix, another, ...place } = await openRedis(server.url, 'secret', log)
    t.teardown(() => place[Symbol.asyncDispose]())
    const bus = await createBus({ redis, listener: another(), prefix, node: `node_${role}`, role, log })
    const heard: Message[] = []
    bus.follow((message) => void heard.push(message))
    const hears = async (number: number) => {
      await until(() => heard.length >= number)
      return heard
    }
    return { bus, hears, changes: createSharedChanges(bus, createConversionEvents()) }
  }
  const all = await open('all')
  const api = await open('api')
  const worker = await open('worker')
  const owner = 'guest_1'
  const batch = null
  const conversion = 'conv_1'
  const begun = { conversion, owner, batch, begun: true } as const
  const cancel = { type: 'cancel', id: 'conv_1', message: 'cancelled' } as const

  await t.test('its end is told with its beginning, in one message', async (t) => {
    worker.changes.publish(begun)
    worker.changes.publish({ conversion, owner, batch })
    const message = { type: 'changes', changes: [begun, { conversion, owner, batch }] }
    t.strictSame(await api.hears(1), [message])
    t.strictSame(await all.hears(1), [message])
  })

  await t.test('a beginning is told also if no end follows', async (t) => {
    worker.changes.publish(begun)
    t.strictSame((await api.hears(2))[1], { type: 'changes', changes: [begun] })
    await all.hears(2)
  })

  await t.test('only who converts is told of cancels, and only who serves clients of changes', async (t) => {
    api.bus.publish(cancel)
    t.strictSame((await all.hears(3))[2], cancel)
    all.bus.publish(cancel)
    all.changes.publish({ conversion, owner, batch })
    t.strictSame((await api.hears(3))[2]?.type, 'changes', 'its own cancel and that of another are not for it')
    t.strictSame(await worker.hears(2), [cancel, cancel])
  })
})

t.test('what no node wrote is ignored, and logged once', { timeout: 600_000 }, async (t) => {
  await using server = await startRedis()
  const lines: { level: number; count?: number }[] = []
  const log = pino(logOptions('info'), { write: (line: string) => void lines.push(JSON.parse(line)) })
  const place = await openRedis(server.url, 'secret', log)
  t.teardown(() => place[Symbol.asyncDispose]())
  const { redis, prefix } = place
  const bus = await createBus({ redis, listener: place.another(), prefix, node: 'node_1', role: 'all', log })
  const events = createConversionEvents()
  const changes = createSharedChanges(bus, events)
  const heard: unknown[] = []
  changes.follow((change) => void heard.push(change))
  bus.follow((message) => void (message.type === 'cancel' && heard.push(message)))
  events.on('reload', () => void heard.push('reload'))
  const owner = 'guest_1'
  const change = { owner, conversion: 'conv_1', batch: null }
  const strange: unknown[] = [null, 5, 'text', [], {}, { type: 'changes' }, { type: 'other' }]
  for (const changes of [null, 5, {}, [null], [5], [{}], [[]]]) strange.push({ type: 'changes', changes })
  for (const odd of [
    { owner: undefined },
    { owner: {} },
    { owner: 'x'.repeat(1e6) },
    { conversion: 5 },
    { conversion: {} },
    // Names of events that are no conversions.
    { conversion: 'error' },
    { conversion: 'reload' },
    { conversion: 'ended' },
    { conversion: `conv_${'x'.repeat(1e6)}` },
    { batch: 5 },
  ])
    strange.push({ type: 'changes', changes: [change, { ...change, ...odd }] })
  for (const odd of [{ id: 5 }, { id: {} }, { message: undefined }, { message: {} }])
    strange.push({ type: 'cancel', id: 'conv_1', message: '', ...odd })
  const texts = strange.map((message) => JSON.stringify({ from: 'node_2', message }))
  texts.push(
    '',
    'text',
    '{',
    'null',
    '5',
    '"text"',
    '[]',
    '{}',
    JSON.stringify({ from: 5, message: { type: 'missed' } }),
  )
  const listener = await place.redis.pubsub('NUMSUB', `${prefix}:changes`)
  t.equal(Number(listener[1]), 1)
  for (const text of texts)
    for (const channel of ['changes', 'cancels']) await redis.publish(`${prefix}:${channel}`, text)
  await redis.publish(
    `${prefix}:changes`,
    JSON.stringify({ from: 'node_2', message: { type: 'changes', changes: [change] } }),
  )
  await until(() => heard.length > 0)
  t.strictSame(heard, [change], 'what a node wrote is still heard')
  t.match(lines, [{ level: 40, msg: /not from a node/, count: 1 }])
  t.equal(lines.length, 1)
})
