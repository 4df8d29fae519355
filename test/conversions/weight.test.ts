/** What decides whether a job waits in the heavy lane. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import type { Plugin } from '../../kernel/contract.ts'
import { isHeavy, isLight } from '../../kernel/conversions/weight.ts'
import { HookFault } from '../../kernel/hooks.ts'
import { openLocal } from '../../kernel/storage/file-stream.ts'
import { pluginNamed } from '../fixtures/plugin.ts'
import { folderOf } from '../harness/folder.ts'

const folder = await folderOf(t)
const path = join(folder, 'file')
await writeFile(path, `${'-'.repeat(100_000)}light`)

const job = { from: 'low', to: 'upp', intent: 'convert', size: 100_005, options: {} } as const
let opened = 0
const letters = { category: 'letters', formats: {}, options: {}, routes: [] }
type Open = Parameters<typeof isLight>[2]
const look = (light: NonNullable<Plugin['light']>, open: Open = (range) => openLocal(path, range)) =>
  isLight({ ...letters, light }, job, (range) => {
    opened++
    return open(range)
  })
const broken = () => {
  throw new TypeError('broken')
}
const endsWell: Plugin['light'] = async ({ size, peek }) =>
  (await peek(async (file) => (await file.read(size - 5, 5)).toString())) === 'light'

t.test('without a look at the file', async (t) => {
  t.equal(isHeavy(letters, job), false)
  t.equal(isHeavy({ ...letters, heavy: () => true }, job), true)
  t.throws(() => isHeavy({ ...letters, heavy: broken }, job), HookFault)
  t.equal(await isLight(letters, job, () => t.fail('opened') as never), false)
  t.equal(await look(async () => true), true)
  t.equal(opened, 0, 'the file was not read')
})

t.test('by some bytes of the file', async (t) => {
  t.equal(await look(endsWell), true)
  t.equal(opened, 2, 'the head and the end')
  const told: unknown[] = []
  t.equal(await look(async ({ peek: _, ...rest }) => told.push(rest) > 1), false)
  t.strictSame(told, [job])
  const inHead: Plugin['light'] = async ({ peek }) =>
    (await peek(async (file) => `${await file.read(0, 2)}${await file.read(60_000, 5000)}`.length)) === 5002
  t.equal(await look(inHead), true)
  t.equal(opened, 3, 'the head was read once')
})

t.test('a look that fails leaves a job heavy', async (t) => {
  t.equal(await look(endsWell, (range) => openLocal(join(folder, 'missing'), range)), false)
  t.equal(await look(async () => Promise.reject(new Error('broken'))), false)
  t.equal(await look(broken), false)
  t.equal(await look(async () => 1 as never), false)
  t.equal(await look(() => new Promise(() => {})), false, 'also one that never ends')
})

t.test('a look that takes too long reads no further', async (t) => {
  const silent = new Readable({ read() {} })
  let readsOn: Promise<unknown> | undefined
  const late = look(
    async ({ peek }) => {
      readsOn = peek((file) => file.read(0, 1))
      return (await readsOn) !== undefined
    },
    () => silent,
  )
  t.equal(await late, false)
  t.equal(await readsOn, undefined)
  t.equal(silent.destroyed, true)
})

t.test('the largest light file of each plugin, in bytes', async (t) => {
  const largest: readonly [plugin: string, from: string, to: string, size: number][] = [
    ['archive', 'zip', '7z', 20_000_000],
    ['cad', 'stl', 'obj', 30_000_000],
    ['document', 'docx', 'pdf', 20_000_000],
    ['document', 'pdf', 'txt', 500_000],
    ['document', 'pdf', 'pdf', 20_000_000],
    ['ebook', 'epub', 'mobi', 2_000_000],
    ['image', 'png', 'jpg', 60_000_000],
    ['image', 'png', 'avif', 8_000_000],
    ['vector', 'svg', 'png', 20_000_000],
    ['vector', 'dxf', 'svg', 1_000_000],
  ]
  for (const [name, from, to, size] of largest) {
    const plugin = await pluginNamed(name)
    const weigh = (bytes: number) => isHeavy(plugin, { from, to, intent: 'convert', size: bytes, options: {} })
    t.strictSame([weigh(size), weigh(size + 1)], [false, true], `${from} to ${to}`)
  }
  const [audio, video] = [await pluginNamed('audio'), await pluginNamed('video')]
  const film = { intent: 'convert', size: 1000, options: {} } as const
  t.equal(isHeavy(video, { ...film, from: 'mp4', to: 'mov' }), false, 'streams are copied')
  t.equal(isHeavy(video, { ...film, from: 'mp4', to: 'webm' }), true)
  t.equal(isHeavy(video, { ...film, from: 'mp4', to: 'mov', options: { framerate: 25 } }), true)
  t.equal(isHeavy(audio, { ...film, from: 'mp3', to: 'wav', options: { normalize: true }, size: 1e9 }), true)
  t.equal(isHeavy(audio, { ...film, from: 'mp3', to: 'wav', size: 1e9 }), false)
})
