/** What nodes tell each other, over a real Redis. */
import { pino } from 'pino'
import t from 'tap'
import { openRedis } from '../../kernel/cluster/redis.ts'
import { createBus, type Message } from '../../kernel/events/bus.ts'
import { createSharedChanges } from '../../kernel/events/shared-changes.ts'
import { createLog, logOptions } from '../../kernel/log.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'

t.setTimeout(600_000)

const server = await startRedis()
t.teardown(() => server[Symbol.asyncDispose]())

t.test('what nodes tell each other', async (t) => {
  const log = createLog('silent')
  const open = async (name: string) => {
    const { redis, prefix, another, ...place } = await openRedis(server.url, 'secret', log)
    t.teardown(() => place[Symbol.asyncDispose]())
    const bus = await createBus({ redis, listener: another(), prefix, node: `node_${name}`, log })
    const heard: Message[] = []
    bus.follow((message) => void heard.push(message))
    return { bus, heard, changes: createSharedChanges(bus) }
  }
  const one = await open('one')
  const other = await open('other')
  const change = { conversion: 'conv_1', owner: 'guest_1', batch: null }
  const cancel = { type: 'cancel', id: 'conv_1', message: 'cancelled' } as const
  one.changes.publish({ ...change, begun: true })
  one.changes.publish(change)
  one.bus.publish(cancel)
  await until(() => other.heard.length === 3)
  t.strictSame(other.heard, [
    { type: 'changes', changes: [{ ...change, begun: true }] },
    { type: 'changes', changes: [change] },
    cancel,
  ])
  other.bus.publish(cancel)
  await until(() => one.heard.length > 0)
  t.strictSame(one.heard, [cancel], 'its own messages are left out')
})

t.test('what no node wrote is ignored, and logged once', async (t) => {
  const lines: { level: number; count?: number }[] = []
  const log = pino(logOptions('info'), { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { redis, prefix, another, ...place } = await openRedis(server.url, 'another secret', log)
  t.teardown(() => place[Symbol.asyncDispose]())
  const bus = await createBus({ redis, listener: another(), prefix, node: 'node_1', log })
  const changes = createSharedChanges(bus)
  const heard: unknown[] = []
  changes.follow((change) => void heard.push(change))
  bus.follow((message) => void (message.type === 'cancel' && heard.push(message)))
  const change = { owner: 'guest_1', conversion: 'conv_1', batch: null }
  const long = 'x'.repeat(1e6)
  const conversions = [5, {}, 'error', `conv_${long}`]
  const odd = [{ owner: undefined }, { owner: {} }, { owner: long }, { batch: 5 }]
  const odds = [...odd, ...conversions.map((conversion) => ({ conversion }))]
  const cancels = [{ id: 5 }, { id: {} }, { message: undefined }, { message: {} }]
  const strange: unknown[] = [
    ...[null, 5, 'text', [], {}, { type: 'changes' }, { type: 'other' }],
    ...[null, 5, {}, [null], [5], [{}], [[]]].map((changes) => ({ type: 'changes', changes })),
    ...odds.map((odd) => ({ type: 'changes', changes: [change, { ...change, ...odd }] })),
    ...cancels.map((odd) => ({ type: 'cancel', id: 'conv_1', message: '', ...odd })),
  ]
  const texts = strange.map((message) => JSON.stringify({ from: 'node_2', message }))
  texts.push('', 'text', '{', 'null', '5', '"text"', '[]', '{}', '{ "from": 5, "message": { "type": "missed" } }')
  const [, listeners] = await redis.pubsub('NUMSUB', `${prefix}:changes`)
  t.equal(Number(listeners), 1)
  for (const text of texts) await redis.publish(`${prefix}:changes`, text)
  const right = { from: 'node_2', message: { type: 'changes', changes: [change] } }
  await redis.publish(`${prefix}:changes`, JSON.stringify(right))
  await until(() => heard.length > 0)
  t.strictSame(heard, [change], 'what a node wrote is still heard')
  t.match(lines, [{ level: 40, msg: /not from a node/, count: 1 }])
  t.equal(lines.length, 1)
})
