/** Which jobs wait in the heavy lane from the beginning. */
import t from 'tap'
import type { Plugin } from '../../kernel/contract.ts'
import { HookFault } from '../../kernel/hooks.ts'
import { isHeavy } from '../../kernel/jobs/start.ts'
import { pluginNamed } from '../fixtures/plugin.ts'

const letters: Plugin = { category: 'letters', formats: {}, options: {}, routes: [] }
const job = { from: 'low', to: 'upp', intent: 'convert', size: 100_005, options: {} } as const

t.test('the plugin decides', async (t) => {
  t.equal(isHeavy(letters, job), false)
  t.equal(isHeavy({ ...letters, heavy: () => true }, job), true)
  const broken = () => {
    throw new TypeError('broken')
  }
  t.throws(() => isHeavy({ ...letters, heavy: broken }, job), HookFault)
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
    ['video', 'mp4', 'mkv', 200_000_000],
  ]
  for (const [name, from, to, size] of largest) {
    const plugin = await pluginNamed(name)
    const weigh = (bytes: number) => isHeavy(plugin, { from, to, intent: 'convert', size: bytes, options: {} })
    t.strictSame([weigh(size), weigh(size + 1)], [false, true], `${from} to ${to}`)
  }
})

t.test('a film is heavy at once if its pictures are usually encoded', async (t) => {
  const video = await pluginNamed('video')
  const weigh = (from: string, to: string) => isHeavy(video, { from, to, intent: 'convert', size: 1000, options: {} })
  for (const to of ['webm', 'avi', 'mpg']) t.equal(weigh('mp4', to), true, to)
  for (const to of ['mp4', 'mkv', 'mov', 'mp3']) t.equal(weigh('mp4', to), false, to)
  t.strictSame([weigh('avi', 'mp4'), weigh('webm', 'mkv')], [true, false])
})
