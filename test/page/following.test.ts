/** How the page follows conversions when answers are late, or missing. */

import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { AthanorError, type Conversion } from '../../client/client.ts'
import type { Item } from '../../page/state/item.ts'
import { createStore } from '../../page/state/store.ts'
import type { WorkContext } from '../../page/work/context.ts'
import { createFollowing } from '../../page/work/following.ts'

const record = (id: string, status: Conversion['status']): Conversion => ({
  id,
  status,
  progress: 0,
  fromFormat: 'png',
  toFormat: 'jpg',
  error: null,
  name: id,
  sourceSize: 1,
  createdAt: '2026-01-01T00:00:00Z',
})
const itemOf = (key: number, id: string): Item => ({
  key,
  name: id,
  size: 1,
  sent: 1,
  options: {},
  stage: 'processing',
  conversion: record(id, 'processing'),
})

/** Follows conversions with a client that answers as a test says. */
function follow(client: object, items: Item[], history: Conversion[] = []) {
  const store = createStore({ startByItself: false, saveByItself: false, saveAllByItself: false, targets: {} })
  store.dispatch({ type: 'added', items })
  store.dispatch({ type: 'history', conversions: history })
  const change: WorkContext['change'] = (key, change) => store.dispatch({ type: 'changed', key, change })
  const { watch } = createFollowing({ store, client, change } as unknown as WorkContext, () => {})
  const stages = () => [...store.get().items.map(({ stage }) => stage), ...store.get().history.map((one) => one.status)]
  return { watch, stages }
}

t.test('an answer that is older than the last event changes nothing', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  for (const isListed of [true, false]) {
    const event = Promise.withResolvers<void>()
    const late = Promise.withResolvers<Conversion>()
    const client = {
      conversion: () => late.promise,
      async *events() {
        await event.promise
        yield { event: 'conversion', data: record('a', 'completed') }
      },
    }
    const { watch, stages } = isListed
      ? follow(client, [itemOf(1, 'a')])
      : follow(client, [], [record('a', 'processing')])
    const watching = watch()
    mock.timers.tick(20_000)
    event.resolve()
    await watching
    t.strictSame(stages(), [isListed ? 'done' : 'completed'])
    late.resolve(record('a', 'processing'))
    await sleep(1)
    t.strictSame(stages(), [isListed ? 'done' : 'completed'])
  }
})

t.test('without events: a list that cannot be read fails no file', async (t) => {
  const asked: string[] = []
  const client = {
    async conversion(id: string) {
      asked.push(id)
      if (id === 'gone') throw new AthanorError('gone', { code: 'NOT_FOUND', status: 404 })
      return record(id, 'completed')
    },
    async conversions() {
      throw new AthanorError('broken', { code: 'INTERNAL_SERVER_ERROR', status: 500 })
    },
    events() {
      throw new AthanorError('none', { code: 'NO_EVENTS', status: 0 })
    },
  }
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const items = ['a', 'b', 'gone'].map((id, at) => itemOf(at, id))
  // A record of the history can be older than that of the list.
  const { watch, stages } = follow(client, items, [record('a', 'processing'), record('old', 'queued')])
  await watch()
  t.strictSame(stages(), ['done', 'done', 'failed', 'completed', 'completed'])
  t.strictSame(asked, ['a', 'b', 'gone', 'old'])
})
