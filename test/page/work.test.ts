/** How the page follows conversions when answers are late or missing, when it saves results, and old problems. */
import { mock } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { AthanorError, type Conversion } from '../../client/client.ts'
import type { Item, Stage } from '../../page/state/item.ts'
import type { Settings } from '../../page/state/settings.ts'
import { createStore } from '../../page/state/store.ts'
import type { WorkContext } from '../../page/work/context.ts'
import { createDownloads } from '../../page/work/downloads.ts'
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
  ...(status === 'completed' && { outputUrl: 'a.jpg' }),
})
const itemOf = (key: number, id: string, stage: Stage): Item => ({
  key,
  name: id,
  size: 1,
  sent: 1,
  options: {},
  stage,
  conversion: record(id, stage === 'processing' ? 'processing' : 'completed'),
})

/** A page with these files and settings, whose client answers as a test says. */
function pageOf(client: object, items: Item[], settings: Partial<Settings> = {}) {
  const defaults = { startByItself: false, saveByItself: false, saveAllByItself: false, targets: {} }
  const store = createStore({ ...defaults, ...settings })
  const change: WorkContext['change'] = (key, change) => store.dispatch({ type: 'changed', key, change })
  const own = { downloadUrl: ({ outputUrl }: Conversion) => outputUrl, ...client }
  const context = { store, client: own, change } as unknown as WorkContext
  const stages = () => [...store.get().items.map(({ stage }) => stage), ...store.get().history.map((one) => one.status)]
  return { store, change, context, stages, add: () => store.dispatch({ type: 'added', items }) }
}

/** Plays a part of the clock until the end of a test. */
function play(t: Test, api: 'setInterval' | 'setTimeout' | 'Date'): void {
  mock.timers.enable({ apis: [api] })
  t.teardown(() => mock.timers.reset())
}

t.test('an answer that is older than the last event changes nothing', async (t) => {
  play(t, 'setInterval')
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
    const { store, context, stages, add } = pageOf(client, isListed ? [itemOf(1, 'a', 'processing')] : [])
    add()
    store.dispatch({ type: 'history', conversions: isListed ? [] : [record('a', 'processing')] })
    const watching = createFollowing(context, () => {}).watch()
    mock.timers.tick(20_000)
    event.resolve()
    await watching
    t.strictSame(stages(), [isListed ? 'done' : 'completed'])
    late.resolve(record('a', 'processing'))
    await settle()
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
  play(t, 'setTimeout')
  const items = ['a', 'b', 'gone'].map((id, at) => itemOf(at, id, 'processing'))
  const { store, context, stages, add } = pageOf(client, items)
  add()
  // A record of the history can be older than that of the list.
  store.dispatch({ type: 'history', conversions: [record('a', 'processing'), record('old', 'queued')] })
  await createFollowing(context, () => {}).watch()
  t.strictSame(stages(), ['done', 'done', 'failed', 'completed', 'completed'])
  t.strictSame(asked, ['a', 'b', 'gone', 'old'])
})

/** Returns what the page saves from now on. */
function savedFiles(): string[] {
  const saved: string[] = []
  const link = { href: '', click: () => saved.push(link.href) }
  Object.assign(globalThis, { document: { createElement: () => link } })
  return saved
}

t.test('results are saved when the last busy file fails, is removed or cancelled', async (t) => {
  for (const end of ['fails', 'is removed', 'is cancelled']) {
    const saved = savedFiles()
    const items = [itemOf(1, 'a', 'done'), itemOf(2, 'b', 'uploading'), itemOf(3, 'c', 'asked')]
    const { store, change, context, add } = pageOf({}, items, { saveByItself: true, saveAllByItself: true })
    createDownloads(context)
    add()
    await settle()
    t.strictSame(saved, [])
    if (end === 'is removed') store.dispatch({ type: 'removed', keys: [2] })
    else change(2, { stage: end === 'fails' ? 'failed' : 'ready', conversion: undefined })
    await settle()
    t.strictSame(saved, ['a.jpg'], end)
    change(2, { stage: 'lined' })
    change(3, { stage: 'waiting' })
    change(2, { stage: 'failed' })
    change(3, { stage: 'failed' })
    await settle()
    t.strictSame(saved, ['a.jpg'], 'once')
  }
})

t.test('a download that works clears the problem of an earlier one', async (t) => {
  play(t, 'Date')
  const saved = savedFiles()
  const done = record('a', 'completed')
  const answers = [Promise.reject(new AthanorError('broken', { code: 'BROKEN', status: 500 })), done]
  const { store, context, add } = pageOf({ conversion: async () => answers.shift() }, [itemOf(1, 'a', 'done')])
  const downloads = createDownloads(context)
  add()
  // The link is old by now.
  mock.timers.tick(10 * 60_000)
  for (const problem of ['BROKEN', undefined]) {
    downloads.downloadOf(1, done)
    await settle()
    t.equal(store.get().items[0]!.problem?.code, problem)
  }
  t.strictSame(saved, ['a.jpg'])
})
