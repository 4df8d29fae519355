import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { within } from '../fixtures/within.ts'
import { startAthanor } from '../services/athanor.ts'
import { removeFolder } from '../services/remove-folder.ts'

t.test('with the default settings, each warm engine has a spare before its first job', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-spares-'))
  await chmod(folder, 0o711)
  const service = await startAthanor(join(folder, 'data'))
  t.teardown(async () => {
    await service.end('SIGKILL')
    await removeFolder(folder)
  })
  const ready = async () => {
    const text = await (await fetch(`${service.base}/metrics`)).text()
    return [...text.matchAll(/^athanor_warm_processes\{engine="([^"]+)",state="ready"\} (\d+)$/gm)].map(
      ([, engine, count]) => `${engine}: ${count}`,
    )
  }
  const expected = ['sharp', 'libreoffice', 'calibre', 'chromium', 'zip-to-tar'].map((engine) => `${engine}: 1`).sort()
  await within(120_000, async () => (await ready()).every((line) => line.endsWith(': 1')))
  t.same((await ready()).sort(), expected)
})
