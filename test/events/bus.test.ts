/** Messages between nodes that Redis does not take. */
import { EventEmitter } from 'node:events'
import t from 'tap'
import { createBus } from '../../kernel/events/bus.ts'
import { createLog } from '../../kernel/log.ts'
import { until } from '../harness/until.ts'

t.test(
  'the others are told of a lost message when Redis answers again, without an event or another message',
  async (t) => {
    const told: string[] = []
    let failures = 2
    const redis = Object.assign(new EventEmitter(), {
      async publish(_channel: string, text: string) {
        if (failures-- > 0) throw new Error('Command timed out')
        told.push(JSON.parse(text).message.type)
      },
    })
    const listener = Object.assign(new EventEmitter(), { subscribe: async () => {} })
    const log = createLog('silent')
    const bus = await createBus({
      redis: redis as never,
      listener: listener as never,
      prefix: 'a',
      node: 'node_a',
      log,
    })
    bus.publish({ type: 'cancel', id: 'conv_1', message: 'cancelled' })
    await until(() => told.length > 0)
    t.strictSame(told, ['missed'], 'told once, although the first try failed')
  },
)
