/** When the page saves results, and what becomes of an earlier problem. */
import { mock } from 'node:test'
import t from 'tap'
import { AthanorError, type Conversion } from '../../client/client.ts'
import type { Item, Stage } from '../../page/state/item.ts'
import type { Settings } from '../../page/state/settings.ts'
import { createStore } from '../../page/state/store.ts'
import type { WorkContext } from '../../page/work/context.ts'
import { createDownloads } from '../../page/work/downloads.ts'

const conversion = { id: 'a', outputUrl: 'a.jpg' } as Conversion
const itemOf = (key: number, stage: Stage): Item => ({
  key,
  name: 'a.png',
  size: 1,
  sent: 1,
  options: {},
  stage,
  conversion: { ...conversion, id: `${key}` },
})

/** Returns the downloads of a page with some files, and what it saves. */
function keep(items: Item[], settings: Partial<Settings> = {}, client: object = {}) {
  const saved: string[] = []
  const link = { href: '', click: () => saved.push(link.href) }
  Object.assign(globalThis, { document: { createElement: () => link } })
  const defaults = { startByItself: false, saveByItself: true, saveAllByItself: false, targets: {} }
  const store = createStore({ ...defaults, ...settings })
  const change: WorkContext['change'] = (key, change) => store.dispatch({ type: 'changed', key, change })
  const own = { downloadUrl: ({ outputUrl }: Conversion) => outputUrl, ...client }
  const downloads = createDownloads({ store, client: own, change } as unknown as WorkContext)
  store.dispatch({ type: 'added', items })
  return { store, change, downloads, saved }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

t.test('results are saved when the last busy file fails, is removed or cancelled', async (t) => {
  for (const end of ['fails', 'is removed', 'is cancelled']) {
    const { store, change, saved } = keep([itemOf(1, 'done'), itemOf(2, 'uploading'), itemOf(3, 'asked')], {
      saveAllByItself: true,
    })
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
  mock.timers.enable({ apis: ['Date'] })
  t.teardown(() => mock.timers.reset())
  const answers = [Promise.reject(new AthanorError('broken', { code: 'BROKEN', status: 500 })), conversion]
  const { store, downloads, saved } = keep([itemOf(1, 'done')], {}, { conversion: async () => answers.shift() })
  const problem = () => store.get().items[0]!.problem?.code
  // The link is old by now.
  mock.timers.tick(10 * 60_000)
  downloads.downloadOf(1, conversion)
  await settle()
  t.equal(problem(), 'BROKEN')
  downloads.downloadOf(1, conversion)
  await settle()
  t.equal(problem(), undefined)
  t.strictSame(saved, ['a.jpg'])
})
